import type { JsonObject } from "../connect/json.js";
import { withoutOurs } from "../connect/requests.js";
import { digestOf } from "../judge/digest.js";
import { listedOrders, placeOf } from "../judge/located-rows.js";
import { marketConfigOf } from "../judge/read.js";
import { canonicalStored, orderKey, storedOrderText } from "../judge/read-stored.js";
import type { RuleId } from "../specification/catalogue/index.js";
import type { Answer } from "./answer.js";
import { AssertionLog } from "./assertion-log.js";

/** What an answer violates that shows another stored state than answers before and after it, by operation. */
const rules = {
  GetOrders: "relations.order-stored-state",
  GetAllOrders: "relations.order-stored-state",
  GetMarketConfigs: "get-market-configs.market-id",
} as const satisfies Readonly<Record<string, RuleId>>;

type AlternatingEndpoint = keyof typeof rules;

/** Longer answers, in characters, are left out, since most requests are never repeated. */
const longestAnswer = 150_000;

/** States that are remembered of one request: more of them are data that move. */
const statesAtMost = 6;

/** Answers with the same text to one request. */
interface State {
  /** The stored state of each row, by what the row is. */
  readonly rows: ReadonlyMap<string, Shown>;
  /** The first of them, without its body. */
  readonly answer: Answer;
  /** When they were requested, in milliseconds since 1970. */
  readonly times: number[];
}

/** The stored state of one row as comparable text, and where an answer shows it. */
interface Shown {
  readonly path: string;
  readonly text: string;
}

/** A row that changes to and fro. */
export interface Alternation {
  readonly rule: RuleId;
  readonly endpoint: AlternatingEndpoint;
  readonly log: AssertionLog;
}

/**
 * Finds orders and configurations that the same request shows now in one state, now in another, for longer than a cache or a
 * replica may lag behind (P3): back in an earlier state that long after the first sign of the later one, and then in the
 * later one again.
 */
export class Alternations {
  readonly #requests = new Map<string, Map<string, State>>();

  /** @param lagMs how long an answer may lag behind another one, in milliseconds */
  constructor(private readonly lagMs: number) {}

  /** Takes an answer into account. */
  add(answer: Answer): void {
    const { endpoint, exchange, outcome } = answer;
    const text = exchange.response?.body ?? "";
    if (!isAlternating(endpoint) || outcome.kind !== "success" || text.length > longestAnswer) return;
    const { headers, body } = withoutOurs(exchange.request);
    const request = `${endpoint} ${JSON.stringify(headers)} ${body}`;
    const states = this.#requests.get(request) ?? new Map<string, State>();
    this.#requests.set(request, states);
    const digest = digestOf(text);
    const known = states.get(digest);
    const at = Date.parse(exchange.startedAt);
    if (known) known.times.push(at);
    else if (states.size < statesAtMost)
      states.set(digest, { rows: rowsOf(endpoint, outcome.body), answer: withoutBody(answer), times: [at] });
  }

  /** The rows that alternate, for each rule and operation. They count only if no data moved in the whole run. */
  found(): readonly Alternation[] {
    const found = new Map<string, Alternation>();
    for (const states of this.#requests.values()) {
      const all = [...states.values()];
      for (const one of all)
        for (const other of all.filter((state) => alternate(one, state, this.lagMs))) report(found, one, other);
    }
    return [...found.values()];
  }
}

/** Whether a state is seen again long after another one was first seen, which is then seen again. */
function alternate({ times: earlier }: State, { times: later }: State, lagMs: number): boolean {
  const first = Math.min(...later);
  const last = Math.max(...later);
  return Math.min(...earlier) < first && earlier.some((at) => at > first + lagMs && at < last);
}

function report(found: Map<string, Alternation>, one: State, other: State): void {
  const endpoint = other.answer.endpoint as AlternatingEndpoint;
  const alternation = found.get(endpoint) ?? { rule: rules[endpoint], endpoint, log: new AssertionLog() };
  for (const [what, { path, text }] of other.rows) {
    const before = one.rows.get(what);
    if (before === undefined || before.text === text) continue;
    found.set(endpoint, alternation);
    alternation.log.examined(1);
    alternation.log.violation(
      other.answer,
      {
        path,
        expected: `${what} as the same request shows it before and after`,
        seen: "another stored state, time and again",
        row: what,
      },
      [one.answer],
    );
  }
}

function isAlternating(endpoint: string): endpoint is AlternatingEndpoint {
  return Object.hasOwn(rules, endpoint);
}

function rowsOf(endpoint: AlternatingEndpoint, body: JsonObject): ReadonlyMap<string, Shown> {
  if (endpoint === "GetMarketConfigs") {
    const { marketId = "" } = marketConfigOf(body) ?? {};
    const shown = { path: "marketConfig", text: canonicalStored(body.marketConfig) };
    return new Map([[`the configuration of market ${marketId}`, shown]]);
  }
  return new Map(
    listedOrders(endpoint, body).map((order) => [
      `order ${orderKey(order.row)}`,
      { path: placeOf(order), text: storedOrderText(order.row) },
    ]),
  );
}

/** An answer without its body: the bodies of a whole run would take much memory. */
export function withoutBody({ exchange: { id, request, startedAt, timings }, ...answer }: Answer): Answer {
  return { ...answer, exchange: { id, request, startedAt, timings }, outcome: { kind: "success", body: {} } };
}
