import { createPublicKey, generateKeyPairSync, sign, verify } from "node:crypto";
import { describe, expect, test } from "vitest";
import { isSignedBy, keyId, payloadOf, payloadType, seal } from "./dsse.js";

const { privateKey, publicKey } = generateKeyPairSync("ed25519");
const TEXT = '{"what":"a statement with – more than ASCII"}';
const envelope = seal(TEXT, privateKey);

function altered(base64: string): string {
  const bytes = Buffer.from(base64, "base64");
  bytes[7] = (bytes[7] ?? 0) ^ 1;
  return bytes.toString("base64");
}

describe("an envelope", () => {
  test("holds its payload, and names the key", () => {
    expect(payloadOf(envelope)).toBe(TEXT);
    expect(envelope.signatures[0]?.keyid).toBe(keyId(publicKey));
    expect(keyId(privateKey)).toBe(keyId(publicKey));
    expect(keyId(publicKey)).toMatch(/^[0-9a-f]{64}$/);
  });

  test("signs what the protocol says: DSSEv1, type and payload, each after its length in bytes", () => {
    const bytes = Buffer.from(`DSSEv1 28 ${payloadType} ${Buffer.byteLength(TEXT)} ${TEXT}`);
    const sig = Buffer.from(envelope.signatures[0]?.sig ?? "", "base64");
    expect(verify(null, bytes, publicKey, sig)).toBe(true);
    expect(sig).toEqual(sign(null, bytes, privateKey));
  });

  test("is accepted from its signer only, also among several signatures", () => {
    const other = generateKeyPairSync("ed25519");
    expect(isSignedBy(envelope, publicKey)).toBe(true);
    expect(isSignedBy(envelope, createPublicKey(privateKey))).toBe(true);
    expect(isSignedBy(envelope, other.publicKey)).toBe(false);
    const both = { ...envelope, signatures: [...seal(TEXT, other.privateKey).signatures, ...envelope.signatures] };
    expect([isSignedBy(both, publicKey), isSignedBy(both, other.publicKey)]).toEqual([true, true]);
  });

  test.each([
    ["payload", { ...envelope, payload: altered(envelope.payload) }],
    ["type", { ...envelope, payloadType: "application/json" }],
    ["signature", { ...envelope, signatures: [{ sig: altered(envelope.signatures[0]?.sig ?? "") }] }],
    ["signature's length", { ...envelope, signatures: [{ sig: "AAAA" }] }],
  ])("is refused when its %s was altered", (_, changed) => {
    expect(isSignedBy(changed, publicKey)).toBe(false);
  });
});
