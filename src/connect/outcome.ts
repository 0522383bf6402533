import type { JsonObject } from "./json.js";

/** What an exchange amounts to, once read as Connect (E2). Never an exception: whatever came back is one of these. */
export type Outcome =
  /** A 2xx answer whose body is a JSON object without the shape of an error. */
  | { readonly kind: "success"; readonly body: JsonObject }
  /** A Connect error: a JSON object with string `code` and string `message` (E2). */
  | { readonly kind: "error"; readonly code: string; readonly message: string; readonly body: JsonObject }
  /** A complete HTTP answer that is neither: HTML, an empty body, a JSON array, an error object without `code`. */
  | { readonly kind: "malformed"; readonly reason: string }
  /** No complete answer. */
  | { readonly kind: "failure"; readonly failure: FailureKind; readonly message: string };

import type { FailureKind } from "./exchange.js";
