import { createPublicKey, hash, type KeyObject, sign, verify } from "node:crypto";
import { z } from "zod";

/** The type of an envelope's payload: an in-toto Statement. */
export const payloadType = "application/vnd.in-toto+json";

/** Maximum size of a statement in bytes, signed or not. It is enough because a statement names each rule once. */
export const statementBytes = 1024 * 1024;

/** Maximum signatures of an envelope, since each of them is verified. */
const maxSignatures = 16;

/** A signed payload in the form of DSSE 1.0. Binary members are base64. */
export const envelopeSchema = z.looseObject({
  payloadType: z.string().max(200),
  payload: z.string().max(statementBytes).pipe(z.base64()),
  signatures: z
    .array(
      z.looseObject({
        keyid: z.string().max(200).optional(),
        sig: z.string().max(200).pipe(z.base64()),
      }),
    )
    .min(1)
    .max(maxSignatures),
});

/** A DSSE envelope. */
export type DsseEnvelope = z.infer<typeof envelopeSchema>;

/** Signs a payload with an Ed25519 key. */
export function seal(payload: string, key: KeyObject): DsseEnvelope {
  const sig = sign(null, preAuthentication(payloadType, Buffer.from(payload)), key).toString("base64");
  return {
    payloadType,
    payload: Buffer.from(payload).toString("base64"),
    signatures: [{ keyid: keyId(key), sig }],
  };
}

/** Whether one of the signatures over this payload and its type was made with the private half of this key. */
export function isSignedBy({ payloadType: type, payload, signatures }: DsseEnvelope, key: KeyObject): boolean {
  const signed = preAuthentication(type, Buffer.from(payload, "base64"));
  return signatures.some(({ sig }) => verify(null, signed, key, Buffer.from(sig, "base64")));
}

/** The payload, as text. */
export function payloadOf({ payload }: DsseEnvelope): string {
  return Buffer.from(payload, "base64").toString("utf8");
}

/** The id of a key: SHA-256 of its public half (SPKI, DER), in hexadecimal. */
export function keyId(key: KeyObject): string {
  const half = key.type === "private" ? createPublicKey(key) : key;
  return hash("sha256", half.export({ type: "spki", format: "der" }));
}

/** What is signed: type and payload, each after its length in bytes, so that neither can pass for part of the other. */
function preAuthentication(type: string, payload: Buffer): Buffer {
  const head = `DSSEv1 ${Buffer.byteLength(type)} ${type} ${payload.length} `;
  return Buffer.concat([Buffer.from(head), payload]);
}
