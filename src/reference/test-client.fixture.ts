import { type Endpoint, endpoints } from "../specification/endpoints.js";

// What the tests of the reference server speak to it with: fetch, and no code that the server shares.

/** An answer as it came over the wire. */
export interface TestAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed body; undefined when it is not JSON. */
  readonly json: TestJson;
}

/** JSON that a test may look into without ceremony; a wrong turn gives undefined, and the assertion fails. */
export type TestJson = { readonly [name: string]: TestJson } & readonly TestJson[];

/** Calls a unary operation; `body` is sent as it is when it is a string. */
export async function ask(
  server: { readonly url: string },
  endpoint: Endpoint,
  body: unknown = {},
  init: { readonly headers?: Record<string, string>; readonly method?: string; readonly signal?: AbortSignal } = {},
): Promise<TestAnswer> {
  const response = await fetch(server.url + endpoints[endpoint].path, {
    method: "POST",
    ...init,
    headers: { "content-type": "application/json", ...init.headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, json: parsed(text) };
}

function parsed(text: string): TestJson {
  try {
    return JSON.parse(text);
  } catch {
    return undefined as never;
  }
}

/** A frame of a stream as it arrived. */
export interface TestFrame {
  readonly flags: number;
  readonly json: TestJson;
  /** Milliseconds after the request was sent. */
  readonly at: number;
}

/** Opens the stream and yields its frames until it ends, or until the caller leaves the loop. */
export async function* watch(
  server: { readonly url: string },
  request: unknown,
  headers: Record<string, string> = {},
): AsyncGenerator<TestFrame> {
  const payload = new TextEncoder().encode(JSON.stringify(request));
  const envelope = Buffer.alloc(5 + payload.length);
  envelope.writeUInt32BE(payload.length, 1);
  envelope.set(payload, 5);
  const started = performance.now();
  const leaving = new AbortController();
  const response = await fetch(server.url + endpoints.GetOpenPositionsStreaming.path, {
    method: "POST",
    headers: { "content-type": "application/connect+json", ...headers },
    body: envelope,
    signal: leaving.signal,
  });
  try {
    let buffered = Buffer.alloc(0);
    for await (const chunk of response.body ?? []) {
      buffered = Buffer.concat([buffered, chunk]);
      while (buffered.length >= 5 && buffered.length >= 5 + buffered.readUInt32BE(1)) {
        const end = 5 + buffered.readUInt32BE(1);
        const json = parsed(buffered.toString("utf8", 5, end));
        yield { flags: buffered[0] ?? 0, json, at: performance.now() - started };
        buffered = buffered.subarray(end);
      }
    }
  } finally {
    leaving.abort();
  }
}

/** The first `count` frames of a stream. */
export async function firstFrames(
  server: { readonly url: string },
  request: unknown,
  count: number,
  headers: Record<string, string> = {},
): Promise<TestFrame[]> {
  const frames: TestFrame[] = [];
  for await (const frame of watch(server, request, headers)) {
    frames.push(frame);
    if (frames.length === count) break;
  }
  return frames;
}

/** Resolves when the condition holds; rejects after two seconds. */
export async function until(condition: () => boolean): Promise<void> {
  const deadline = performance.now() + 2_000;
  while (!condition()) {
    if (performance.now() > deadline) throw new Error("it did not come to pass");
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** The middle of the gaps between the frames, in milliseconds. */
export function medianFrameGap(frames: readonly TestFrame[]): number {
  const gaps = frames.slice(1).map((frame, i) => frame.at - (frames[i]?.at ?? 0));
  return gaps.sort((a, b) => a - b)[Math.floor(gaps.length / 2)] ?? Number.NaN;
}
