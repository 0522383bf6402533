import type { JsonObject } from "../connect/json.js";
import { millisOf, parseInstant } from "../judge/instant.js";
import { lackingIt } from "../judge/judgement.js";
import { listedOrders, shownPositions } from "../judge/located-rows.js";
import { effectiveLimit, pageOf } from "../judge/page.js";
import type { ParsedRequest } from "../judge/parsed-request.js";
import { candlesOf } from "../judge/read.js";
import { orderKey, positionKey } from "../judge/read-stored.js";
import type { RuleId } from "../specification/catalogue/index.js";
import { getOrInsert } from "../specification/get-or-insert.js";
import { changeShownWithinMs } from "../specification/limits.js";
import { Alternations, asWritten, withoutBody } from "./alternations.js";
import type { Answer } from "./answer.js";
import { logOf, type RuleLog } from "./assertion-log.js";
import { type InvariantTerms, parsedRequestOf } from "./invariant-judgement.js";

/** The rule violated by an answer that lacks a row of another answer, by operation. */
const rules = {
  GetAllPositions: "pagination.row-count",
  GetAllOrders: "pagination.row-count",
  GetOrders: "get-orders.no-result-limit",
  GetPortfolio: "relations.open-positions-agree",
  GetHistoricalPrices: "get-historical-prices.no-result-limit",
} as const satisfies Readonly<Record<string, RuleId>>;

type RepeatedEndpoint = keyof typeof rules;

/** Answers to one request with the same rows. */
interface RowsVersion {
  /** The identity and the timestamp of each row, as short as possible: most answers are never looked at again. */
  readonly rows: string;
  readonly total: number | undefined;
  /** The first of them, without its body. */
  readonly answer: Answer;
  /** The requests as they were written, each with its headers. */
  readonly requests: Set<string>;
  /** When the first and the last of them were requested, in milliseconds since 1970. */
  first: number;
  last: number;
}

/** Rows that are younger than this when a run begins may not be known to every replica yet. */
const youngMs = 60_000;

/** Maximum number of different answers remembered, which bounds the memory of a long run. */
const versionsKept = 2_000;

/** Answers to one request, however it was written. */
interface RepeatedRequest {
  readonly endpoint: RepeatedEndpoint;
  /** Whether the list only holds what is open, so that rows may leave it. */
  readonly isOfOpen: boolean;
  readonly versions: Map<string, RowsVersion>;
  /** The timestamps of all rows that were shown, by the identity of each row, once there are two versions. */
  times?: Map<string, string>;
}

/**
 * Compares the answers to the same request over a whole run. A row that earlier and later answers hold is missing from an
 * answer between them, unless the data moves (P3): rows do not come back once they have left. The earlier answer may be one
 * to another request, so that the first answer to a request is judged too.
 */
export class Repetitions {
  readonly #requests = new Map<string, RepeatedRequest>();
  readonly #alternations: Alternations;
  #kept = 0;
  #moved = false;

  /**
   * @param startedAt when the run began, in milliseconds since 1970
   * @param lagMs how long an answer may lag behind another one, in milliseconds (P3)
   */
  constructor(
    private readonly terms: InvariantTerms,
    private readonly startedAt: number,
    private readonly lagMs = changeShownWithinMs,
  ) {
    this.#alternations = new Alternations(lagMs);
  }

  /** Adds an answer. Once the data moved, answers are not compared any more. */
  add(answer: Answer): void {
    if (this.#moved) return;
    const { endpoint, exchange, outcome } = answer;
    this.#alternations.add(answer);
    if (!isRepeated(endpoint) || outcome.kind !== "success") return;
    const asked = parsedRequestOf(answer, this.terms.subjects);
    if (!asked || !this.#isPast(asked)) return;
    const key = `${endpoint} ${meaningOf(asked)}`;
    const isOfOpen = endpoint === "GetPortfolio" || asked.onlyOpen;
    const repeated = getOrInsert(this.#requests, key, () => ({ endpoint, isOfOpen, versions: new Map() }));
    const at = Date.parse(exchange.startedAt);
    const rows = rowsOf(endpoint, outcome.body)
      .map((row) => row.join("\t"))
      .join("\n");
    const written = asWritten(exchange.request);
    const known = repeated.versions.get(rows);
    if (known) {
      known.requests.add(written);
      known.first = Math.min(known.first, at);
      known.last = Math.max(known.last, at);
    } else if (this.#kept++ < versionsKept) {
      const version: RowsVersion = {
        rows,
        total: totalOf(endpoint, outcome.body),
        answer: withoutBody(answer),
        requests: new Set([written]),
        first: at,
        last: at,
      };
      if (repeated.versions.size > 0 && this.#showsMotion(repeated, version)) {
        this.#moved = true;
        this.#requests.clear();
        this.#alternations.clear();
      } else repeated.versions.set(rows, version);
    }
  }

  /** Whether some data changed during the run: a row is new, or shows another time in two answers. */
  get moved(): boolean {
    return this.#moved;
  }

  #showsMotion(repeated: RepeatedRequest, version: RowsVersion): boolean {
    const compared = repeated.times ? [version] : [...repeated.versions.values(), version];
    repeated.times ??= new Map();
    for (const [key, time] of compared.flatMap((each) => [...listed(each)])) {
      if (timeOf(time) >= this.startedAt || (repeated.times.get(key) ?? time) !== time) return true;
      repeated.times.set(key, time);
    }
    return false;
  }

  /** The missing rows and the alternating states, for each rule and operation; none if the data moved. */
  found(): readonly RuleLog[] {
    if (this.#moved) return [];
    return [...this.#incomplete(), ...this.#alternations.found()];
  }

  #incomplete(): readonly RuleLog[] {
    const found = new Map<string, RuleLog>();
    const differing = [...this.#requests.values()].filter(({ versions }) => versions.size > 1);
    const firstSeen = differing.length > 0 ? this.#firstSightings() : new Map<string, number>();
    for (const { endpoint, isOfOpen, versions } of differing) {
      for (const lacking of versions.values()) {
        const [missing] = [...versions.values()].flatMap((other) =>
          this.#missingFrom(lacking, other, isOfOpen, firstSeen),
        );
        if (missing === undefined) continue;
        const log = logOf(found, ruleOn(endpoint, missing), endpoint);
        log.addAssertions(1);
        log.addViolation(lacking.answer, {
          path: listOf[endpoint],
          expected: `${missing}, which was shown before and is shown again by the same request later`,
          seen: lackingIt(listed(lacking).size, "row"),
          row: missing,
        });
      }
    }
    return [...found.values()];
  }

  /**
   * The rows of `other` that `lacking`, requested in between, does not hold. Rows with equal timestamps may change places
   * across the ends of a page (P4). Rows that are missing only if the request is written in another way break another rule.
   */
  #missingFrom(
    lacking: RowsVersion,
    other: RowsVersion,
    isOfOpen: boolean,
    firstSeen: ReadonlyMap<string, number>,
  ): readonly string[] {
    // What has just left a list may still be shown for a moment, by a cache or a replica.
    const margin = isOfOpen ? this.lagMs : 0;
    const isWrittenAlike = [...lacking.requests].some((request) => other.requests.has(request));
    if (lacking.first + margin >= other.last || !isWrittenAlike || other.total !== lacking.total) return [];
    const rowsHeld = listed(lacking);
    const isPage = other.total !== undefined;
    const times = new Set(isPage ? rowsHeld.values() : []);
    const firstShown = (key: string) => (isPage ? undefined : firstSeen.get(key)) ?? other.first;
    return [...listed(other)]
      .filter(([key, time]) => !rowsHeld.has(key) && !times.has(time) && timeOf(time) < this.startedAt - youngMs)
      .filter(([key]) => firstShown(key) < lacking.first)
      .map(([key]) => key);
  }

  /** When each order and position that an answer shows was first requested, in milliseconds since 1970. */
  #firstSightings(): ReadonlyMap<string, number> {
    const seen = new Map<string, number>();
    for (const { endpoint, versions } of this.#requests.values()) {
      // A candle's timestamp does not say which market it is of.
      if (endpoint === "GetHistoricalPrices") continue;
      for (const version of versions.values()) {
        for (const key of listed(version).keys())
          seen.set(key, Math.min(version.first, seen.get(key) ?? Number.POSITIVE_INFINITY));
      }
    }
    return seen;
  }

  /** Whether a range of candles, if the request has one, ended well before the run. */
  #isPast({ endTime, startTime }: ParsedRequest): boolean {
    if (endTime === undefined) return startTime === undefined;
    const end = parseInstant(endTime);
    return end !== undefined && millisOf(end) < this.startedAt - 60 * youngMs;
  }
}

const listOf: Readonly<Record<RepeatedEndpoint, string>> = {
  GetAllPositions: "positions",
  GetAllOrders: "orders",
  GetOrders: "orders",
  GetPortfolio: "portfolio",
  GetHistoricalPrices: "priceCandleSticks",
};

/** The rule violated by an answer that lacks a row. */
function ruleOn(endpoint: RepeatedEndpoint, missing: string): RuleId {
  return endpoint === "GetPortfolio" && missing.startsWith("order ") ? "relations.open-orders-agree" : rules[endpoint];
}

function isRepeated(endpoint: string): endpoint is RepeatedEndpoint {
  return Object.hasOwn(rules, endpoint);
}

/** A key shared by requests that mean the same, however they are written. */
function meaningOf({ limit, offset = 0, onlyOpen, wallet, marketId, interval, startTime, endTime }: ParsedRequest) {
  const times = [startTime, endTime].map((time) => time && parseInstant(time)).map((time) => time && millisOf(time));
  return JSON.stringify([effectiveLimit(limit), offset, onlyOpen, wallet, marketId, interval, ...times]);
}

/** The identity and the timestamp of each row of an answer. */
function rowsOf(endpoint: RepeatedEndpoint, body: JsonObject): readonly (readonly [row: string, time: string])[] {
  if (endpoint === "GetHistoricalPrices") {
    return candlesOf(body).map(({ timestamp: { text } }) => [`the candle of ${text}`, text] as const);
  }
  const orders = listedOrders(endpoint, body);
  const positions = endpoint === "GetAllPositions" || endpoint === "GetPortfolio" ? shownPositions(endpoint, body) : [];
  return [
    ...orders.map(({ row }) => [`order ${orderKey(row)}`, row.timestamp.text] as const),
    ...positions.map(({ row }) => [`position ${positionKey(row)}`, row.timestamp.text] as const),
  ];
}

/** The timestamps of the rows, by the identity of each row. */
function listed({ rows }: RowsVersion): ReadonlyMap<string, string> {
  if (rows === "") return new Map();
  return new Map(rows.split("\n").map((row) => row.split("\t") as [string, string]));
}

/** Milliseconds since 1970; NaN for what is no timestamp. */
function timeOf(text: string): number {
  const instant = parseInstant(text);
  return instant ? millisOf(instant) : Number.NaN;
}

function totalOf(endpoint: RepeatedEndpoint, body: JsonObject): number | undefined {
  return endpoint === "GetAllPositions" || endpoint === "GetAllOrders"
    ? pageOf(endpoint, body).pagination?.totalCount
    : undefined;
}
