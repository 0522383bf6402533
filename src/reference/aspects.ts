/** Groups of fields on positions and orders. */
export const rows = [
  "amounts",
  "associated orders",
  "further fields",
  "market names",
  "rebates",
  "times",
  "triggers",
] as const;

/** Other content of successful responses. */
const others = ["book", "candles", "market configuration", "pages", "sequence", "totals"] as const;

/** All content of successful responses. */
export const content = [...rows, ...others] as const;

/** Kinds of requests that the specification says must be refused. */
export const refusalKinds = ["addresses", "book", "candles", "pages", "selectors"] as const;

/**
 * A part of server behaviour that is judged on its own: using a freedom in one aspect must not hide a fault in another.
 * Besides content and refusals: error format, HTTP, timing of stream messages, JSON notation, and which requests count as
 * Connect requests.
 */
export type Aspect =
  | (typeof content)[number]
  | (typeof refusalKinds)[number]
  | "errors"
  | "http"
  | "pace"
  | "protocol"
  | "text";
