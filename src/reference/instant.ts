import { create } from "@bufbuild/protobuf";
import { type Timestamp, TimestampSchema } from "@bufbuild/protobuf/wkt";

/** A point in time: nanoseconds since 1970-01-01T00:00:00Z. Two instants may differ below the millisecond. */
export type EpochNanoseconds = bigint;

const nanosPerSecond = 1_000_000_000n;

/** Converts integer milliseconds since 1970 to an instant. */
export function instantOfMs(ms: number): EpochNanoseconds {
  return BigInt(Math.trunc(ms)) * 1_000_000n;
}

/** Converts an instant to a protobuf message. */
export function timestampOf(instant: EpochNanoseconds): Timestamp {
  return create(TimestampSchema, { seconds: instant / nanosPerSecond, nanos: Number(instant % nanosPerSecond) });
}

/** Converts a protobuf message to an instant. */
export function instantOf(timestamp: Timestamp): EpochNanoseconds {
  return timestamp.seconds * nanosPerSecond + BigInt(timestamp.nanos);
}
