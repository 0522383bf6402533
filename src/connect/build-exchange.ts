import type { Exchange, ExchangeFailure, ExchangeName, HttpRequest, SampledRows } from "./exchange.js";
import type { Received } from "./in-flight-request.js";
import { sharedBody } from "./shared-bodies.js";
import type { Target } from "./target.js";

/** Marks an exchange as unreachable, since the target was away. */
export function asUnreachable({
  failure,
  response,
  frames: _,
  ended: __,
  framing: ___,
  ...exchange
}: Exchange): Exchange {
  const what = failure?.message ?? (response ? `HTTP ${response.status}` : "the stream was closed");
  const away = "what the target had answered before was not answered either";
  return { ...exchange, failure: { kind: "unreachable", message: `${what}; ${away}` } };
}

/** A body as decoded text, and what was wrong with it. */
export interface DecodedBody {
  readonly body: string;
  readonly samples?: readonly SampledRows[];
  readonly invalidUtf8?: true;
  readonly failure?: ExchangeFailure;
}

/** The exchange that a request and all that came back make. */
export function buildExchange(
  request: HttpRequest,
  name: ExchangeName,
  { transport }: Pick<Target, "transport">,
  received: Received,
  content: DecodedBody,
): Exchange {
  const { startedAt, timings, head, bytes } = received;
  const { invalidUtf8, samples } = content;
  const body = sharedBody(request.endpoint, content.body).text;
  const failure = received.failure ?? content.failure;
  return {
    ...name,
    request,
    transport,
    startedAt,
    timings,
    ...(head && {
      response: { ...head, body, ...(invalidUtf8 && { invalidUtf8 }), bytes, ...(samples && { samples }) },
    }),
    ...(failure && { failure }),
  };
}

/** The exchange of a request that was never sent. */
export function unsent(
  request: HttpRequest,
  name: ExchangeName,
  { transport }: Pick<Target, "transport">,
  failure: ExchangeFailure,
): Exchange {
  return {
    ...name,
    request,
    transport,
    startedAt: new Date().toISOString(),
    timings: { headersMs: 0, totalMs: 0 },
    failure,
  };
}
