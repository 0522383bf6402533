import type { Interactions } from "../exploration/covering-array.js";
import type { RuleId } from "../specification/catalogue/index.js";
import type { Endpoint } from "../specification/endpoints.js";
import { absentOperation } from "../subjects/broken-operations.js";
import { bracket, spreadBracket, stableBody, steadyBracket } from "./bracket.js";
import type { CheckClient } from "./check-client.js";
import type { CheckContext } from "./context.js";
import type { WorkerEnvironment } from "./environment.js";
import { Blocked } from "./signals.js";
import type { CheckDefinition } from "./suite.js";

/** Which attempt it is: the second reads in the other order and more often, the third over a longer time. */
export type AttemptNumber = "first" | "second" | "third";

/** One attempt at a check: what it is made with, and what it has recorded so far. */
export interface Attempt {
  readonly check: CheckDefinition;
  readonly environment: WorkerEnvironment;
  readonly client: CheckClient;
  readonly number: AttemptNumber;
  readonly record: AttemptRecord;
}

/** What one attempt records besides its assertions. */
export interface AttemptRecord {
  readonly notes: string[];
  readonly observations: { what: string; seen: string }[];
  readonly subjects: Set<string>;
  interactions?: Interactions;
  /** Whether answers were compared with each other. */
  compared: boolean;
  /** Whether the answers showed that the data changed. */
  moved: boolean;
}

/** The rule that an operation exists. If it does not, only this rule is judged, and every other check on it is blocked. */
const pathRule: RuleId = "protocol.post-path";

/** @throws Blocked if the operation is absent */
export function admit({ check, environment }: Attempt, endpoint: Endpoint): void {
  const blocker = absentOperation(environment.subjects, endpoint);
  if (blocker && check.rule !== pathRule) throw new Blocked(blocker);
}

/** Sends requests through a client, unless their operation is absent. */
export function sender(client: CheckClient, attempt: Attempt): Pick<CheckContext, "ask" | "listen"> {
  return {
    async ask(endpoint, request = {}, overrides) {
      admit(attempt, endpoint);
      return client.ask(endpoint, request, overrides);
    },
    async listen(request, until, overrides) {
      admit(attempt, "GetOpenPositionsStreaming");
      return client.listen(request, until, overrides);
    },
  };
}

/** The bracket of an attempt. Its use counts as a comparison, which is noted in `record`, as are changes of the data. */
export function bracketOf(
  { number, environment: { pause } }: Attempt,
  record: Pick<AttemptRecord, "compared" | "moved">,
): CheckContext["bracket"] {
  return (readA, readB, stable = stableBody) => {
    record.compared = true;
    const onMotion = () => {
      record.moved = true;
    };
    switch (number) {
      case "first":
        return bracket(readA, readB, stable, onMotion);
      case "second":
        return steadyBracket(readA, readB, stable, onMotion);
      case "third":
        return spreadBracket(readA, readB, stable, pause);
    }
  };
}
