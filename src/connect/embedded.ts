import { type Exchange, headerValues } from "./exchange.js";

/** The header by which the embedded reference server identifies itself, also when it runs standalone at a URL. */
const identity = "x-perp-conformance-reference";

/** Whether a response comes from the embedded reference server. */
export function isFromEmbedded({ response }: Pick<Exchange, "response">): boolean {
  return response !== undefined && headerValues(response.headers, identity).length > 0;
}
