import { stringify } from "../connect/json.js";
import { isOwnRuleId } from "../specification/own-rules.js";
import { type Attempt, type AttemptNumber, bracketOf, sender } from "./attempt.js";
import type { CheckClient } from "./check-client.js";
import type { CheckContext } from "./context.js";

/** What the keys of shared reads begin with: each attempt reads again. */
const prefixes: Readonly<Record<AttemptNumber, string>> = { first: "", second: "again: ", third: "once more: " };

/** The key, or the name of an exchange, that a shared read of any attempt has in the first one. */
export function asInFirstAttempt(key: string): string {
  const prefix = Object.values(prefixes).find((each) => each !== "" && key.startsWith(each)) ?? "";
  return key.slice(prefix.length);
}

/** The reads that an attempt shares with other checks. */
export function sharedReads(attempt: Attempt): Pick<CheckContext, "shared" | "sharedCapture" | "sharedRead"> {
  const { pause, strength } = attempt.environment;
  return {
    shared: (endpoint, request) =>
      sharedRead(attempt, `${endpoint} ${stringify(request)}`, (client) =>
        sender(client, attempt).ask(endpoint, request),
      ),
    sharedCapture: (window, request, until) =>
      sharedRead(attempt, window, (client) => sender(client, attempt).listen(request, until)),
    sharedRead: (name, read) =>
      sharedRead(attempt, name, (client, bracket) => read({ ...sender(client, attempt), bracket, pause, strength })),
  };
}

/** Makes a shared read. The first check that needs it sends its requests, in its own name. */
async function sharedRead<T>(
  attempt: Attempt,
  name: string,
  read: (client: CheckClient, bracket: CheckContext["bracket"]) => Promise<T>,
): Promise<T> {
  const { check, client, environment, number, record } = attempt;
  const own = isOwnRuleId(check.rule);
  const key = `${prefixes[number]}${own ? "own: " : ""}${name}`;
  let shared = environment.shared.get(key);
  if (!shared) {
    const reader = client.forRead(key, own ? undefined : environment.everyAnswer);
    const soFar = { exchanges: reader.exchanges, compared: false, moved: false };
    shared = Object.assign(soFar, { value: read(reader, bracketOf(attempt, soFar)) });
    environment.shared.set(key, shared);
  }
  try {
    return (await shared.value) as T;
  } finally {
    for (const exchange of shared.exchanges) client.adopt(exchange);
    record.compared ||= shared.compared;
    record.moved ||= shared.moved;
  }
}
