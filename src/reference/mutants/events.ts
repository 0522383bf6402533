import { endStreamFlag } from "../endpoint-handler.js";
import { breaking, type Interceptors, type Mutant, type OutgoingFrame } from "../modification.js";

/** Changes the envelopes of messages, not of the end of the stream. */
function envelopes(change: (frame: OutgoingFrame) => OutgoingFrame | Uint8Array): Interceptors["frame"] {
  return (frame) => ((frame.flags & endStreamFlag) === 0 ? change(frame) : undefined);
}

/** Envelopes whose length is written by `write`. */
function envelopeWith(write: (header: DataView, length: number) => void): Interceptors["frame"] {
  return envelopes(({ flags, data }) => {
    const bytes = new Uint8Array(5 + data.length);
    bytes[0] = flags;
    write(new DataView(bytes.buffer), data.length);
    bytes.set(data, 5);
    return bytes;
  });
}

/** Servers that break one rule of §6. */
export const events: readonly Mutant[] = [
  ...breaking("events.envelope", {
    "stream-messages-as-lines": {
      summary: "The stream is JSON lines instead of envelopes.",
      alsoFails: ["get-open-positions-streaming.first-message"],
      frame: envelopes(({ data }) => new Uint8Array([...data, 0x0a])),
    },
    "stream-length-little-endian": {
      summary: "The length in the stream's envelopes has its least significant byte first.",
      // A short message announces a long one that never comes.
      alsoFails: ["get-open-positions-streaming.no-open-positions"],
      frame: envelopeWith((header, length) => header.setUint32(1, length, true)),
    },
    "stream-length-includes-the-header": {
      summary: "The length in the stream's envelopes counts the header too.",
      // A message only completes once the next one has begun, and is then not JSON.
      alsoFails: ["get-open-positions-streaming.first-message", "wire.json-object"],
      frame: envelopeWith((header, length) => header.setUint32(1, length + 5)),
    },
    "stream-flagged-compressed": {
      summary: "The stream's envelopes say that they are compressed, which they are not.",
      frame: envelopes(({ flags, data }) => ({ flags: flags | 0x01, data })),
    },
    "stream-unknown-flag": {
      summary: "The stream's envelopes carry a flag that Connect does not know.",
      frame: envelopes(({ flags, data }) => ({ flags: flags | 0x80, data })),
    },
  }),
];
