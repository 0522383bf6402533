/**
 * The ids of exchanges. An exchange that a check made is named after the check, with `#` and a number.
 */
import type { Exchange } from "./exchange.js";

/** The name of the check that made an exchange, or of the shared read that it belongs to: what precedes the last `#`. */
export function checkOf({ id }: Pick<Exchange, "id">): string {
  return id.slice(0, id.lastIndexOf("#"));
}

/** The id of an attempt that is not returned because the request is sent again. */
export function supersededId(id: string, attempt: number): string {
  return `${id}/attempt-${attempt}`;
}

/** Whether the harness discarded this answer and sent the request again, for example because it was throttled. */
export function isSuperseded({ id }: Pick<Exchange, "id">): boolean {
  return /\/attempt-\d+$/.test(id);
}
