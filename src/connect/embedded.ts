import { type Exchange, headerValues } from "./exchange.js";

/** The header in which the embedded reference server says what it is, also when it is served to be reached by a URL. */
const identity = "x-perp-conformance-reference";

/** Whether an answer comes from the embedded reference server. */
export function isFromEmbedded({ response }: Pick<Exchange, "response">): boolean {
  return response !== undefined && headerValues(response.headers, identity).length > 0;
}
