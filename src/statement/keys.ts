import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from "node:crypto";
import { existsSync, rmSync } from "node:fs";
import { readNamed } from "../files/read-file.js";
import { FileRefused } from "../files/refused.js";
import { writeNew } from "../files/write.js";
import { keyId } from "./dsse.js";

const maxKeyBytes = 64 * 1024;

/** A key cannot be used or written. */
export class KeyProblem extends Error {
  override readonly name = "KeyProblem";
}

/** Where a new key pair was written. */
export interface NewKeys {
  readonly privateKey: string;
  readonly publicKey: string;
  /** The id by which signatures name the key. */
  readonly keyId: string;
}

/**
 * Makes an Ed25519 key pair: the private key as PKCS #8 PEM that only its owner may read, and the public key (SPKI PEM) next
 * to it with `.pub` at the end.
 *
 * @throws KeyProblem if one of the files exists: a key is never overwritten
 */
export async function makeKeys(path: string): Promise<NewKeys> {
  const publicPath = `${path}.pub`;
  const taken = [path, publicPath].find((file) => existsSync(file));
  if (taken !== undefined)
    throw new KeyProblem(`${taken} exists, and a key is never overwritten: name another file with --out`);
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  await writeNew(path, privateKey.export({ type: "pkcs8", format: "pem" }), 0o600);
  try {
    await writeNew(publicPath, publicKey.export({ type: "spki", format: "pem" }));
  } catch (error) {
    rmSync(path);
    throw error;
  }
  return { privateKey: path, publicKey: publicPath, keyId: keyId(publicKey) };
}

/**
 * Reads the Ed25519 key in a PEM file. Where a public key is wanted, a private key will do.
 *
 * @throws KeyProblem if the file cannot be read, or holds no such key
 */
export function readKey(path: string, half: "private" | "public"): KeyObject {
  const make = half === "private" ? createPrivateKey : createPublicKey;
  let key: KeyObject;
  try {
    key = make(readNamed(path, maxKeyBytes));
  } catch (error) {
    if (error instanceof FileRefused) throw new KeyProblem(`the key ${error.message}`);
    throw new KeyProblem(`the key ${path} cannot be read: it holds no ${half} key, PEM`);
  }
  if (key.asymmetricKeyType !== "ed25519") {
    throw new KeyProblem(`the key ${path} is of type ${key.asymmetricKeyType}: it must be ed25519`);
  }
  return key;
}
