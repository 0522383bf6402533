/** Compares the answers to two requests that mean the same: they hold the same data (§1, §4). */
import type { JsonObject } from "../connect/json.js";
import type { Endpoint, PagedEndpoint } from "../specification/endpoints.js";
import { sameDepth } from "./book.js";
import { sameCandles } from "./candles.js";
import { combine, countOf, failed, foundCorrect, type Judgement, judgeThat, nothingSeen, passed } from "./judgement.js";
import type { Snapshots } from "./located-rows.js";
import { continuesAt } from "./overlapping-pages.js";
import { type Page, pageOf } from "./page.js";
import { candlesOf, marketConfigOf, marketIdOf, ordersOf, paginationOf, portfolioOf, positionsOf } from "./read.js";
import { canonicalStored, orderKey, positionKey } from "./read-stored.js";
import { shortJson } from "./short-json.js";

/**
 * The second answer holds the same rows, levels, candles or market as the first one. Other rules judge stored state. The
 * order of rows with equal timestamps is left open (P4).
 *
 * @param why how the requests are related, such as `a limit of 0 is an omitted one`
 */
export function sameAnswer(endpoint: Endpoint, why: string): (first: JsonObject, second: JsonObject) => Judgement {
  return (first, second) => {
    switch (endpoint) {
      case "GetAllPositions":
      case "GetAllOrders":
        return samePage(endpoint, first, second, why);
      case "GetOrders":
        return sameKeys("orders", ordersOf(first).map(orderKey), ordersOf(second).map(orderKey), why);
      case "GetPortfolio":
        return samePortfolio(first, second, why);
      case "GetOpenPositionsStreaming":
        return combine([sameInMessage(0, first, second, why), sameInMessage(-1, first, second, why)]);
      case "GetOrderBook":
        return sameDepth(first, second, why);
      case "GetHistoricalPrices":
        return sameCandles(candlesOf(first), candlesOf(second), why);
      case "GetMarketConfigs":
        return sameConfig(first, second, why);
      case "GetMarketIdByName":
        return sameText("marketId", marketIdOf(first), marketIdOf(second), why);
    }
  };
}

/** What two answers lack that tell nothing of each other. */
const rows = "two answers with rows";

function samePage(endpoint: PagedEndpoint, first: JsonObject, second: JsonObject, why: string): Judgement {
  const [firstPage, secondPage] = [pageOf(endpoint, first), pageOf(endpoint, second)];
  if (firstPage.rows.length === 0 && secondPage.rows.length === 0) return nothingSeen(rows);
  if (firstPage.rows.length === secondPage.rows.length) return combine([passed, continuesAt(firstPage, secondPage, 0)]);
  return failed({
    path: firstPage.field,
    expected: `${countOf(firstPage.rows.length, "row")} (${why})`,
    seen: countOf(secondPage.rows.length, "row"),
    answer: 1,
    row: differentKeys(keysOf(firstPage), keysOf(secondPage)),
  });
}

/** Two pages of the same request have the same effective size (§2 PaginationInfo). Says nothing of other answers. */
export function samePageSize(first: JsonObject, second: JsonObject): Judgement {
  const [one, other] = [paginationOf(first)?.limit, paginationOf(second)?.limit];
  if (one === undefined || other === undefined) return { examined: 0, violations: [] };
  return judgeThat(one === other, { path: "pagination.limit", expected: `${one}`, seen: `${other}`, answer: 1 });
}

/** Both answers are about the same market, and have the same configuration of it. */
function sameConfig(first: JsonObject, second: JsonObject, why: string): Judgement {
  const [one, other] = [marketConfigOf(first), marketConfigOf(second)];
  const market = sameText("marketConfig.marketId", one?.marketId, other?.marketId, why);
  if (!one || !other || !foundCorrect(market)) return market;
  const names = [...new Set([...Object.keys(one.json), ...Object.keys(other.json)])];
  const differing = names.filter((name) => canonicalStored(one.json[name]) !== canonicalStored(other.json[name]));
  const violations = differing.map((name) => ({
    path: `marketConfig.${name}`,
    expected: `${shortJson(one.json[name], 60)} (${why})`,
    seen: shortJson(other.json[name], 60),
    answer: 1,
  }));
  return { examined: market.examined, violations };
}

function samePortfolio(first: JsonObject, second: JsonObject, why: string): Judgement {
  const [one, other] = [portfolioOf(first), portfolioOf(second)];
  if (!one || !other) return nothingSeen("two portfolios");
  return combine([
    sameKeys("portfolio.positions", one.positions.map(positionKey), other.positions.map(positionKey), why),
    sameKeys("portfolio.orders", one.orders.map(orderKey), other.orders.map(orderKey), why),
  ]);
}

/**
 * The first message of two streams, or the last one seen (-1), lists the same positions. A stream without a message yet
 * is no evidence (T1).
 */
function sameInMessage(at: 0 | -1, first: unknown, second: unknown, why: string): Judgement {
  const [one, other] = [first, second].map((stream) => (stream as Snapshots).messages.at(at)?.body);
  if (!one || !other) return nothingSeen("a stream with a message");
  const count = (second as Snapshots).messages.length;
  const path = `messages[${at < 0 ? count + at : at}].positions`;
  return sameKeys(path, positionsOf(one).map(positionKey), positionsOf(other).map(positionKey), why);
}

function sameKeys(path: string, expected: readonly string[], seen: readonly string[], why: string): Judgement {
  const [one, other] = [new Set(expected), new Set(seen)];
  const different = differentKeys(one, other);
  const missing = different.filter((key) => one.has(key));
  if (different.length === 0) return one.size > 0 ? { examined: one.size, violations: [] } : nothingSeen(rows);
  const seenRows = `${countOf(other.size, "row")}: ${missing.length} missing, ${different.length - missing.length} others`;
  const violation = { path, expected: `the same ${countOf(one.size, "row")} (${why})`, seen: seenRows, answer: 1 };
  return { examined: Math.max(1, one.size), violations: [{ ...violation, row: different }] };
}

/** The keys that only one of the two has. */
function differentKeys(one: ReadonlySet<string>, other: ReadonlySet<string>): readonly string[] {
  return [...one, ...other].filter((key) => !(one.has(key) && other.has(key))).sort();
}

const keysOf = ({ rows }: Page): ReadonlySet<string> => new Set(rows.map(({ key }) => key));

function sameText(path: string, expected: string | undefined, seen: string | undefined, why: string): Judgement {
  const isId = (id: string | undefined) => id !== undefined && id !== "0";
  if (!isId(expected) && !isId(seen)) return nothingSeen(`an answer with a ${path}`);
  const violation = { path, expected: `${expected ?? "nothing"} (${why})`, seen: seen ?? "nothing", answer: 1 };
  return judgeThat(expected === seen, violation);
}
