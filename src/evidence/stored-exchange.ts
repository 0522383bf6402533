import { z } from "zod";
import type {
  Exchange,
  ExchangeFailure,
  FailureKind,
  FramingProblem,
  HeaderLines,
  SampledRows,
  Timings,
} from "../connect/exchange.js";
import { exactly } from "../files/exact.js";
import { byZod, type Format } from "../files/read-json.js";
import { endpointNames } from "../specification/endpoints.js";
import { bodyDigestOf } from "./folder.js";

/** A text in the record: inline, or the file that contains it and its length in characters. */
export type StoredText = string | { readonly file: string; readonly characters: number };

/** An exchange whose bodies are kept as `Text`. */
interface ExchangeOf<Text> extends Omit<Exchange, "request" | "response" | "frames"> {
  readonly request: Omit<Exchange["request"], "body"> & { readonly body: Text };
  readonly response?: Omit<NonNullable<Exchange["response"]>, "body"> & { readonly body: Text };
  readonly frames?: readonly (Omit<NonNullable<Exchange["frames"]>[number], "data"> & { readonly data: Text })[];
}

/** An exchange as stored in the record: texts that are too long for a line are in files of their own. */
export type StoredExchange = ExchangeOf<StoredText>;

type StoredRequest = StoredExchange["request"];
type StoredResponse = NonNullable<StoredExchange["response"]>;
type StoredFrame = NonNullable<StoredExchange["frames"]>[number];

/** The exchange with each of its bodies kept in another way. */
export function withTexts<From, To>(
  { request, response, frames, ...rest }: ExchangeOf<From>,
  kept: (text: From) => To,
): ExchangeOf<To> {
  return {
    ...rest,
    request: { ...request, body: kept(request.body) },
    ...(response && { response: { ...response, body: kept(response.body) } }),
    ...(frames && { frames: frames.map((frame) => ({ ...frame, data: kept(frame.data) })) }),
  };
}

/** Maximum length of the name of an exchange, in characters. */
const maxName = 2_000;

/** Maximum number of kept rows that a sample may declare: far more than are ever kept. */
const maxKeptRows = 1_000_000;

const count = z.int().min(0);
const text = z.string();
const headers: z.ZodType<HeaderLines> = z.array(z.tuple([text, text]));

const stored: z.ZodType<StoredText> = z.union([
  text,
  exactly<Exclude<StoredText, string>>({
    file: text.refine((path) => bodyDigestOf(path) !== undefined, "it is not the file of a body"),
    characters: count,
  }),
]);

const failureKinds = [
  "unreachable",
  "reset",
  "timeout",
  "protocol",
  "too-large",
  "unsupported",
  "aborted",
  "unrecorded",
  "given-up",
] as const satisfies readonly FailureKind[];

const sample = exactly<SampledRows>({ path: text, rows: count, first: count, every: count.min(1), last: count }).refine(
  ({ rows, first, every, last }) => first + last <= rows && first + rows / every + last <= maxKeptRows,
  "it is not a sample of rows",
);

const webAddress = text.refine(
  (url) => /^(https?|http\+unix):/.test(url) && URL.canParse(url),
  "it is not the URL of a request",
);

const exchange = exactly<StoredExchange>({
  id: text.min(1).max(maxName),
  reading: z.exactOptional(text.max(maxName)),
  request: exactly<StoredRequest>({
    endpoint: z.enum(endpointNames),
    method: text.regex(/^[A-Z]{1,20}$/),
    url: webAddress,
    headers,
    body: stored,
  }),
  transport: z.exactOptional(z.enum(["http1", "h2c", "h2"])),
  startedAt: z.iso.datetime(),
  timings: exactly<Timings>({ sentMs: z.exactOptional(z.number()), headersMs: z.number(), totalMs: z.number() }),
  response: z.exactOptional(
    exactly<StoredResponse>({
      status: count.max(999),
      headers,
      body: stored,
      invalidUtf8: z.exactOptional(z.boolean()),
      bytes: count,
      samples: z.exactOptional(z.array(sample)),
    }),
  ),
  frames: z.exactOptional(
    z.array(
      exactly<StoredFrame>({
        at: z.number(),
        firstByteAt: z.exactOptional(z.number()),
        lagMs: z.exactOptional(z.number()),
        flags: count.max(255),
        data: stored,
        invalidUtf8: z.exactOptional(z.boolean()),
      }),
    ),
  ),
  ended: z.exactOptional(z.enum(["by-us", "end-frame", "closed"])),
  framing: z.exactOptional(
    exactly<FramingProblem>({ kind: z.enum(["truncated", "oversized", "after-end"]), message: text }),
  ),
  loopLagMs: z.exactOptional(z.number()),
  throttled: z.exactOptional(z.boolean()),
  failure: z.exactOptional(exactly<ExchangeFailure>({ kind: z.enum(failureKinds), message: text })),
});

/** The format of a line. A stream read to its limit has 24 MB in 10,000 messages, and more once escaped. */
export const exchangeFormat: Format<StoredExchange> = {
  check: byZod(exchange),
  maxBytes: 64 * 1024 * 1024,
  maxValues: 200_000,
};
