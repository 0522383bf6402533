/** What a run, or a part of it, has sent and received. */
export interface Traffic {
  /** Requests sent, streams included. */
  readonly count: number;
  /** Streams opened. */
  readonly streams: number;
  /** Bytes of answer bodies, as they came over the wire. */
  readonly bytesReceived: number;
}

/** The traffic of several parts together. */
export function addTraffic(parts: Iterable<Traffic>): Traffic {
  let [count, streams, bytesReceived] = [0, 0, 0];
  for (const part of parts) {
    count += part.count;
    streams += part.streams;
    bytesReceived += part.bytesReceived;
  }
  return { count, streams, bytesReceived };
}
