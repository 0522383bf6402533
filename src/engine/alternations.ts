import type { HttpRequest } from "../connect/exchange.js";
import type { JsonObject } from "../connect/json.js";
import { withoutHarnessHeaders } from "../connect/requests.js";
import { bodyDigest } from "../judge/digest.js";
import { type LocatedRow, listedOrders, rowPath } from "../judge/located-rows.js";
import { isPlaceholder } from "../judge/metadata.js";
import { pageOf } from "../judge/page.js";
import { marketConfigOf, type OrderView } from "../judge/read.js";
import { canonicalStored, orderKey, storedOrderText, storedOrderTextDifference } from "../judge/read-stored.js";
import type { RuleId } from "../specification/catalogue/index.js";
import { getOrInsert } from "../specification/get-or-insert.js";
import { memoize } from "../specification/memoize.js";
import type { Answer } from "./answer.js";
import { logOf, type RuleLog } from "./assertion-log.js";

const alternatingEndpoints = ["GetAllPositions", "GetAllOrders", "GetOrders", "GetMarketConfigs"] as const;

type AlternatingEndpoint = (typeof alternatingEndpoints)[number];

/** Longer answers, in characters, are left out, since most requests are never repeated. */
const longestAnswer = 150_000;

/** Maximum number of states remembered per request: data with more of them keeps changing. */
const statesAtMost = 6;

/** Answers with the same text to one request. */
interface AnswerState {
  /** The records that the answers show, each by its name. */
  readonly shown: ReadonlyMap<string, ShownRecord>;
  /** The first of them, without its body. */
  readonly answer: Answer;
  /** When they were requested, in milliseconds since 1970. */
  readonly times: number[];
}

/** The stored state of an order or a configuration, or the number of records in a listing. */
interface ShownRecord {
  /** The rule violated by an answer that shows another state than the answers before and after it. */
  readonly rule: RuleId;
  readonly path: string;
  /** Comparable text. */
  readonly text: string;
}

/** A request as it was written, with its headers: equal for requests that are the same to the byte. */
export const asWritten = memoize((request: HttpRequest): string => {
  const { headers, body } = withoutHarnessHeaders(request);
  return JSON.stringify([headers, body]);
});

/**
 * Finds orders, configurations and record counts that alternate between two states in the answers to one request, for
 * longer than a cache or a replica may lag behind (P3): the earlier state is shown again that long after the later one
 * first appeared, and then the later one is shown again.
 */
export class Alternations {
  readonly #requests = new Map<string, Map<string, AnswerState>>();

  /** @param lagMs how long an answer may lag behind another one, in milliseconds */
  constructor(private readonly lagMs: number) {}

  /** Adds an answer. */
  add(answer: Answer): void {
    const { endpoint, exchange, outcome } = answer;
    const { response } = exchange;
    if (!isAlternating(endpoint) || outcome.kind !== "success" || !response) return;
    if (response.body.length > longestAnswer) return;
    const request = `${endpoint} ${asWritten(exchange.request)}`;
    const states = getOrInsert(this.#requests, request, () => new Map<string, AnswerState>());
    const digest = bodyDigest(response);
    const known = states.get(digest);
    const at = Date.parse(exchange.startedAt);
    if (known) known.times.push(at);
    else if (states.size < statesAtMost)
      states.set(digest, { shown: shownIn(endpoint, outcome.body), answer: withoutBody(answer), times: [at] });
  }

  /** Forgets all answers, once they will not be asked about. */
  clear(): void {
    this.#requests.clear();
  }

  /** What alternates, for each rule and operation. They count only if no data moved in the whole run. */
  found(): readonly RuleLog[] {
    const found = new Map<string, RuleLog>();
    for (const states of this.#requests.values()) {
      const all = [...states.values()];
      for (const earlier of all)
        for (const later of all.filter((state) => alternate(earlier, state, this.lagMs))) report(found, earlier, later);
    }
    return [...found.values()];
  }
}

/** Whether the earlier state is seen again long after the later one first appeared, and the later one after that. */
function alternate({ times: earlier }: AnswerState, { times: later }: AnswerState, lagMs: number): boolean {
  const first = Math.min(...later);
  const last = Math.max(...later);
  return Math.min(...earlier) < first && earlier.some((at) => at > first + lagMs && at < last);
}

function report(found: Map<string, RuleLog>, earlier: AnswerState, later: AnswerState): void {
  const { endpoint } = later.answer;
  for (const [what, { rule, path, text }] of later.shown) {
    const before = earlier.shown.get(what);
    if (before === undefined || before.text === text) continue;
    const log = logOf(found, rule, endpoint);
    const values = inWords(rule, before.text, text);
    const expected = `${what} as the same request shows it before and after${values ? `: ${values.before}` : ""}`;
    const seen = `${values ? values.after : "something else"}, time and again`;
    log.addAssertions(1);
    log.addViolation(later.answer, { path, expected, seen, row: what }, [earlier.answer]);
  }
}

/** What alternates in a record, as short text; undefined if it cannot be told in a few words. */
function inWords(rule: RuleId, before: string, after: string): { before: string; after: string } | undefined {
  if (rule === "pagination.total-count") return { before, after };
  const difference = rule === "relations.order-stored-state" ? storedOrderTextDifference(before, after) : undefined;
  return (
    difference && {
      before: `${difference.field} ${difference.first}`,
      after: `${difference.field} ${difference.second}`,
    }
  );
}

function isAlternating(endpoint: string): endpoint is AlternatingEndpoint {
  return (alternatingEndpoints as readonly string[]).includes(endpoint);
}

function shownIn(endpoint: AlternatingEndpoint, body: JsonObject): ReadonlyMap<string, ShownRecord> {
  if (endpoint === "GetMarketConfigs") {
    const { marketId = "" } = marketConfigOf(body) ?? {};
    const text = canonicalStored(body.marketConfig);
    const shown = { rule: "get-market-configs.market-id", path: "marketConfig", text } as const;
    return new Map([[`the configuration of market ${marketId}`, shown]]);
  }
  const ofOrder = (order: LocatedRow<OrderView>): [string, ShownRecord] => {
    const { row } = order;
    // A reduce-only order inherits its leverage "when available" (R8).
    const text = storedOrderText(row.reduceOnly ? { ...row, leverage: 0 } : row);
    return [`order ${orderKey(row)}`, { rule: "relations.order-stored-state", path: rowPath(order), text }];
  };
  // Positions have fields that are computed on each read: in moving data they would never be the same.
  const listed = endpoint === "GetAllPositions" ? [] : listedOrders(endpoint, body);
  // Metadata may come and go, and the name of a market with it (R7).
  const orders = listed.filter(({ row }) => !isPlaceholder(row.market)).map(ofOrder);
  if (endpoint === "GetOrders") return new Map(orders);
  const text = String(pageOf(endpoint, body).pagination?.totalCount);
  return new Map<string, ShownRecord>([
    ...orders,
    ["the number of records", { rule: "pagination.total-count", path: "pagination.totalCount", text }],
  ]);
}

/** An answer without its body: the bodies of a whole run would take much memory. */
export function withoutBody({ exchange: { id, request, startedAt, timings }, ...answer }: Answer): Answer {
  return { ...answer, exchange: { id, request, startedAt, timings }, outcome: { kind: "success", body: {} } };
}
