import type { Target } from "../connect/target.js";

/** How long a check may take by itself, in milliseconds: streams are watched for up to a minute, some more than once. */
const ownWorkMs = 150_000;

/** Roughly how many requests of other checks a request may have to wait for, at most: over a hundred checks run at once. */
const requestsAhead = 1_200;

/**
 * How long a check may take before it counts as stuck, in milliseconds. Its own waits are bounded, and so are waits for its
 * turn: by the request timeout, and by the concurrency and rate limits of the target.
 */
export function longestCheckMs({ timeoutMs, concurrency, rate }: Pick<Target, "timeoutMs" | "concurrency" | "rate">) {
  const perRequestMs = Math.max(timeoutMs / concurrency, rate === undefined ? 0 : 1_000 / rate);
  return ownWorkMs + requestsAhead * perRequestMs;
}
