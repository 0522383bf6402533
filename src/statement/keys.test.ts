import { generateKeyPairSync } from "node:crypto";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { temporaryFolder } from "../files/temporary-folder.fixture.js";
import { keyId } from "./dsse.js";
import { makeKeys, readKey } from "./keys.js";

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

test("a pair of keys is a private one that only its owner reads, and its public half", async () => {
  const made = await makeKeys(join(folder, "acme.key"));
  expect(statSync(made.privateKey).mode & 0o777).toBe(0o600);
  expect(readFileSync(made.privateKey, "utf8")).toMatch(/^-----BEGIN PRIVATE KEY-----/);
  expect(readFileSync(made.publicKey, "utf8")).toMatch(/^-----BEGIN PUBLIC KEY-----/);
  expect(keyId(readKey(made.privateKey, "private"))).toBe(made.keyId);
  expect(keyId(readKey(made.publicKey, "public"))).toBe(made.keyId);
  expect(keyId(readKey(made.privateKey, "public"))).toBe(made.keyId);
});

test.each(["acme.key", "acme.key.pub"])("%s is not written over", async (file) => {
  writeFileSync(join(folder, file), "mine");
  await expect(makeKeys(join(folder, "acme.key"))).rejects.toThrow(/exists/);
  expect(readFileSync(join(folder, file), "utf8")).toBe("mine");
});

test("what is no Ed25519 key is refused, and nothing of it is shown", async () => {
  const path = join(folder, "k.pem");
  expect(() => readKey(path, "private")).toThrow(/there is no such file/);
  writeFileSync(path, "s3cret");
  expect(() => readKey(path, "private")).toThrow(/^the key .*k\.pem cannot be read: it holds no private key, PEM$/);
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  writeFileSync(path, privateKey.export({ type: "pkcs8", format: "pem" }));
  expect(() => readKey(path, "private")).toThrow(/of type ec/);
  const { publicKey } = await makeKeys(join(folder, "other"));
  expect(() => readKey(publicKey, "private")).toThrow(/no private key/);
});
