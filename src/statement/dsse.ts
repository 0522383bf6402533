import { createHash, createPublicKey, type KeyObject, sign, verify } from "node:crypto";
import { z } from "zod";

/** What the payload of an envelope is: an in-toto Statement. */
export const payloadType = "application/vnd.in-toto+json";

/** A signed payload, as DSSE 1.0 has it; the binary members are base64. */
export const envelopeSchema = z.looseObject({
  payloadType: z.string(),
  payload: z.base64(),
  signatures: z.array(z.looseObject({ keyid: z.string().optional(), sig: z.base64() })).min(1),
});

/** A DSSE envelope. */
export type Envelope = z.infer<typeof envelopeSchema>;

/** Signs a payload with an Ed25519 key. */
export function seal(payload: string, key: KeyObject): Envelope {
  const sig = sign(null, preAuthentication(payloadType, Buffer.from(payload)), key).toString("base64");
  return {
    payloadType,
    payload: Buffer.from(payload).toString("base64"),
    signatures: [{ keyid: keyId(key), sig }],
  };
}

/** Whether one of the signatures was made with the private half of this key over this payload and its type. */
export function isSignedBy({ payloadType: type, payload, signatures }: Envelope, key: KeyObject): boolean {
  const signed = preAuthentication(type, Buffer.from(payload, "base64"));
  return signatures.some(({ sig }) => verify(null, signed, key, Buffer.from(sig, "base64")));
}

/** The payload, as text. */
export function payloadOf({ payload }: Envelope): string {
  return Buffer.from(payload, "base64").toString("utf8");
}

/** The name of a key: SHA-256 of its public half (SPKI, DER), in hexadecimal. */
export function keyId(key: KeyObject): string {
  const half = key.type === "private" ? createPublicKey(key) : key;
  return createHash("sha256")
    .update(half.export({ type: "spki", format: "der" }))
    .digest("hex");
}

/** What is signed: type and payload, each after its length in bytes, so that neither can pass for a part of the other. */
function preAuthentication(type: string, payload: Buffer): Buffer {
  const head = `DSSEv1 ${Buffer.byteLength(type)} ${type} ${payload.length} `;
  return Buffer.concat([Buffer.from(head), payload]);
}
