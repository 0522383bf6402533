import type { Target } from "../connect/target.js";

/** What a check may take for itself, in milliseconds: streams are watched for up to a minute, some of them more than once. */
const forItself = 150_000;

/** How many requests of others a check waits for at most, or nearly so: over a hundred checks are under way at once. */
const ofOthers = 1_200;

/**
 * When a check has lost its way, in milliseconds: every wait of its own is bounded, and those for its turn are by what the
 * target may take for one request, and by how many it may be sent at a time and in a second.
 */
export function longestCheckMs({ timeoutMs, concurrency, rate }: Pick<Target, "timeoutMs" | "concurrency" | "rate">) {
  const perRequestMs = Math.max(timeoutMs / concurrency, rate === undefined ? 0 : 1_000 / rate);
  return forItself + ofOthers * perRequestMs;
}
