import { create } from "@bufbuild/protobuf";
import { type Timestamp, TimestampSchema } from "@bufbuild/protobuf/wkt";

/** A point in time: nanoseconds since 1970-01-01T00:00:00Z. Two instants may differ below the millisecond. */
export type Instant = bigint;

const nanosPerSecond = 1_000_000_000n;

/** The instant that lies `ms` milliseconds (an integer) after 1970. */
export function instantOfMs(ms: number): Instant {
  return BigInt(Math.trunc(ms)) * 1_000_000n;
}

/** The instant as a protobuf message. */
export function timestampOf(instant: Instant): Timestamp {
  return create(TimestampSchema, { seconds: instant / nanosPerSecond, nanos: Number(instant % nanosPerSecond) });
}

/** The protobuf message as an instant. */
export function instantOf(timestamp: Timestamp): Instant {
  return timestamp.seconds * nanosPerSecond + BigInt(timestamp.nanos);
}
