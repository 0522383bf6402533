/** What the fields of positions and orders tell. */
export const rows = [
  "amounts",
  "associated orders",
  "further fields",
  "market names",
  "rebates",
  "times",
  "triggers",
] as const;

/** What else successful answers tell. */
const others = ["book", "candles", "market configuration", "pages", "sequence", "totals"] as const;

/** All that successful answers tell. */
export const content = [...rows, ...others] as const;

/** What is asked for where the specification has a request refused. */
export const refusals = ["addresses", "book", "candles", "pages", "selectors"] as const;

/**
 * Something of a server's behaviour that is judged by itself: a freedom in one aspect keeps no check from seeing what is
 * wrong in another. Besides the above: how errors look, what HTTP carries, when stream messages come, how JSON is written,
 * and which requests count as Connect's.
 */
export type Aspect =
  | (typeof content)[number]
  | (typeof refusals)[number]
  | "errors"
  | "http"
  | "pace"
  | "protocol"
  | "text";
