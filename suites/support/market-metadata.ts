/** What GetMarketConfigs says about the markets that rows name (R4, R7, R16, S9). */
import type { JsonObjectInput } from "../../src/connect/json.js";
import type { Answer, AnswerOf } from "../../src/engine/answer.js";
import type { CheckContext } from "../../src/engine/context.js";
import { knownBody } from "../../src/engine/samples.js";
import { usable } from "../../src/engine/usable.js";
import type { Judgement } from "../../src/judge/judgement.js";
import {
  listedOrders,
  type OrderEndpoint,
  type PositionEndpoint,
  type ShownBody,
  shownOrders,
  shownPositions,
} from "../../src/judge/located-rows.js";
import { estimatedRebates, impliedRevenues, type Markets } from "../../src/judge/metadata.js";
import { isActive } from "../../src/judge/order-lists.js";
import { type MarketConfigView, marketConfigOf } from "../../src/judge/read.js";
import { groupBy } from "../../src/specification/group-by.js";
import { pageLimitMax } from "../../src/specification/limits.js";
import { splits } from "../../src/subjects/markets.js";
import { byId } from "../../src/subjects/requests.js";
import { isOnlyOneNamed, marketsWithSymbols } from "../../src/subjects/select.js";
import type { MarketSubject, MarketSymbols, Subjects } from "../../src/subjects/subjects.js";
import { answersOf, anyRowsOf, positionsNow } from "./resources.js";
import { isNotFound } from "./selectors.js";
import { shownOrdersOf, shownPositionsOf } from "./shown-rows.js";

/** How many market names are looked up first, and at most. */
const namesAtFirst = 4;
const namesAtMost = 10;

/**
 * Judges answers by the configurations of the discovered markets, as they were when the answers were made. Discovery read
 * them before, and they are read again afterwards; only what is the same in both counts (P3).
 */
export async function judgeAgainstMarkets(
  context: CheckContext,
  answers: readonly AnswerOf<ShownBody>[],
  judge: (body: ShownBody, markets: Markets) => Judgement,
  assertion: "satisfies" | "holdsForAnyRows" = "satisfies",
): Promise<void> {
  const known = await currentMarketConfigs(context);
  for (const answer of answers) {
    const body = knownBody(answer);
    const found = body ? judge(body, known).violations.length : 0;
    // The shared read may be older than the answer.
    const markets = found > 0 ? await currentMarketConfigs(context, `after ${context.endpoint}`) : known;
    context.verify(answer)[assertion]((shown) => judge(shown, markets));
  }
}

/** Like {@link judgeAgainstMarkets}, for a rule on the single rows of representative answers of an operation. */
export async function judgeRowsAgainstMarkets(
  context: CheckContext,
  endpoint: PositionEndpoint | OrderEndpoint,
  judge: (body: ShownBody, markets: Markets) => Judgement,
): Promise<void> {
  await judgeAgainstMarkets(context, await anyRowsOf(context, endpoint), judge, "holdsForAnyRows");
}

/**
 * The configurations of the discovered markets that are still as discovery saw them.
 *
 * @param reread names a read of its own; by default that of all checks
 */
export async function currentMarketConfigs(context: CheckContext, reread?: string): Promise<Markets> {
  const { shared, sharedRead, subjects } = context;
  const ids = [...subjects.markets, ...subjects.orphanMarkets].map(({ marketId }) => marketId);
  const answers = reread
    ? await sharedRead(`configurations ${reread}`, ({ ask }) =>
        Promise.all(ids.map((marketId) => ask("GetMarketConfigs", byId({ marketId })))),
      )
    : await Promise.all(ids.map((marketId) => shared("GetMarketConfigs", byId({ marketId }))));
  const answerFor = (marketId: string) => answers[ids.indexOf(marketId)];
  const markets = new Map<string, MarketConfigView | "known" | "unknown">();
  for (const marketId of subjects.otherMarkets) markets.set(marketId, "known");
  for (const { name, marketId, tickDecimals } of subjects.markets) {
    const config = configIn(answerFor(marketId));
    const same = config?.marketName === name && config?.tickDecimals === tickDecimals;
    if (config && same) markets.set(marketId, config);
  }
  for (const { marketId } of subjects.orphanMarkets) {
    if (isNotFound(answerFor(marketId))) markets.set(marketId, "unknown");
  }
  return markets;
}

/** How many market configurations are read next to positions. */
const marketsBeside = 3;

/**
 * Compares the rebates of positions with the revenues of their markets (R4). If they differ from revenues that were read at
 * another time, both are read again.
 */
export async function rebatesNow(context: CheckContext, endpoint: PositionEndpoint): Promise<void> {
  const { ask, bracket, subjects, verify } = context;
  const judge = (body: ShownBody, markets: Markets) => estimatedRebates(shownPositions(endpoint, body), markets);
  const known = await currentMarketConfigs(context);
  const answers = await answersOf(context, endpoint);
  const differs = answers.some((answer) => judge(context.bodyOf(answer), known).violations.length > 0);
  if (!differs) {
    for (const answer of answers) verify(answer).satisfies((body) => judge(body, known));
    return;
  }
  const markets = subjects.markets.slice(0, marketsBeside);
  const [answer, configs] = await bracket(
    () => positionsNow(context, endpoint),
    () => Promise.all(markets.map((market) => ask("GetMarketConfigs", byId(market)))),
    (body) => impliedRevenues(shownPositions(endpoint, body)),
  );
  context.bodyOf(answer);
  const now = configs.map(configIn).filter((config) => config !== undefined);
  verify(answer).satisfies((body) => judge(body, new Map(now.map((config) => [config.marketId, config]))));
}

function configIn(answer: Answer | undefined): MarketConfigView | undefined {
  return answer?.outcome.kind === "success" ? marketConfigOf(answer.outcome.body) : undefined;
}

/** How many owners of orders in orphan markets are asked for. */
const ownersAsked = 2;

/**
 * Answers of an operation that show orders of orphan markets, if there are any (R7): those of single wallets are about
 * wallets that, according to the order listing, have such orders, all of them and those of the market.
 */
export async function answersInOrphanMarkets(
  context: CheckContext,
  endpoint: OrderEndpoint,
): Promise<readonly Answer[]> {
  const { required, shared, subjects } = context;
  const isOfWallet = endpoint === "GetOrders" || endpoint === "GetPortfolio";
  if (!isOfWallet || subjects.orphanMarkets.length === 0) return answersOf(context, endpoint);
  const orphans = new Set(subjects.orphanMarkets.map(({ marketId }) => marketId));
  const orders = await shownOrdersOf(context, "GetAllOrders");
  const marketsOfOwners = new Map(
    orders.filter(({ row }) => orphans.has(row.marketId)).map(({ row }) => [row.owner, row.marketId]),
  );
  const [first, ...others] = marketsOfOwners;
  const asked = [required(first, "orphanMarket"), ...others].slice(0, ownersAsked);
  const requests = asked.flatMap(([owner, marketId]): readonly JsonObjectInput[] =>
    endpoint === "GetPortfolio" ? [{ owner }] : [{ address: owner }, { address: owner, ...byId({ marketId }) }],
  );
  return usable(await Promise.all(requests.map((request) => shared(endpoint, request))));
}

/** How many markets are asked for their book, those without a known one first. */
const booksAsked = 4;

/**
 * Configured markets that must have a book, some of them: discovery saw it, or the platform lists open orders of the market.
 * Without any the check is inconclusive.
 */
export async function marketsWithBooks(context: CheckContext): Promise<readonly MarketSubject[]> {
  const { required, sampledBodyOf, shared, subjects } = context;
  const listed = await shared("GetAllOrders", { onlyOpen: true, limit: pageLimitMax });
  const orders = listedOrders("GetAllOrders", sampledBodyOf(listed)).filter(({ row }) => isActive(row));
  const live = new Set(orders.map(({ row }) => row.marketId));
  const hasBook = ({ bookOrders }: MarketSubject) => bookOrders !== undefined;
  const found = subjects.markets.filter((market) => market.name && (hasBook(market) || live.has(market.marketId)));
  required(found[0], "needs a configured market with a book or open orders");
  return found.toSorted((a, b) => Number(hasBook(a)) - Number(hasBook(b))).slice(0, booksAsked);
}

/** Symbols that may name a market. */
export interface PossibleSymbols {
  readonly marketId: string;
  readonly symbols: MarketSymbols;
}

/** How many symbols are tried that GetMarketIdByName did not confirm. */
const symbolsTried = 4;

/**
 * The pairs of symbols that the configured names of markets split into, for markets without a pair that GetMarketIdByName
 * confirmed (S8).
 */
export function unconfirmedPairs({ markets }: Subjects): readonly PossibleSymbols[] {
  return markets
    .filter(({ symbols }) => symbols?.quoteSymbol === undefined)
    .flatMap(({ marketId, name = "" }) => splits(name).map((symbols) => ({ marketId, symbols })))
    .slice(0, symbolsTried);
}

/** Symbols that the names of orphan markets, as orders carry them, may stand for (R7). */
export async function symbolsOfOrphanMarkets(context: CheckContext): Promise<readonly PossibleSymbols[]> {
  const orphans = new Set(context.subjects.orphanMarkets.map(({ marketId }) => marketId));
  if (orphans.size === 0) return [];
  const orders = (await anyRowsOf(context, "GetAllOrders")).flatMap((answer) =>
    shownOrders("GetAllOrders", context.sampledBodyOf(answer)),
  );
  const names = new Map(orders.map(({ row }) => [row.marketId, row.market]));
  return [...names]
    .filter(([marketId, name]) => orphans.has(marketId) && name !== `MARKET-${marketId}` && name.trim() !== "")
    .flatMap(([marketId, name]) => spellingsOf(name).map((symbols) => ({ marketId, symbols })))
    .slice(0, symbolsTried);
}

/** The markets that configured names lead to, in GetMarketIdByName. Names that several markets have are left out (S8). */
export function marketIdsByName(subjects: Subjects): ReadonlyMap<string, string> {
  const named = marketsWithSymbols(subjects).filter((market) => isOnlyOneNamed(market, subjects));
  return new Map(named.flatMap(({ name = "", marketId }) => (name.trim() === "" ? [] : [[name, marketId] as const])));
}

/** A market that orders or positions name, and the symbols to look it up with in GetMarketIdByName. */
export interface NamedMarket {
  readonly marketId: string;
  /**
   * The name as it is, and each way to split it into two symbols. Spellings that another market's name also yields are left
   * out.
   */
  readonly spellings: readonly MarketSymbols[];
}

/** What GetMarketIdByName answers to symbols that may stand for a name. */
interface NameLookedUp extends PossibleSymbols {
  readonly answer: Answer;
}

/**
 * Looks up the names that rows carry. A name need not reveal the symbols, so if none of the first names resolves, the others
 * are tried. Without any the check is inconclusive.
 */
export async function namesLookedUp(context: CheckContext): Promise<readonly NameLookedUp[]> {
  const { required, shared } = context;
  const carried = await namesCarried(context);
  required(carried[0], "needs an order or a position of a market that has a name");
  const lookUp = (markets: readonly NamedMarket[]) =>
    Promise.all(
      markets.flatMap(({ marketId, spellings }) =>
        spellings.map(async (symbols) => {
          const answer = await shared("GetMarketIdByName", { ...symbols });
          return { marketId, symbols, answer };
        }),
      ),
    );
  const first = await lookUp(carried.slice(0, namesAtFirst));
  const isFound = first.some(({ answer }) => answer.outcome.kind === "success");
  return isFound ? first : [...first, ...(await lookUp(carried.slice(namesAtFirst)))];
}

/** The markets whose configured name appears in rows of the listings (S8, S9). */
export async function namesCarried(context: CheckContext): Promise<readonly NamedMarket[]> {
  const positions = await shownPositionsOf(context, "GetAllPositions");
  const orders = await shownOrdersOf(context, "GetAllOrders");
  const carried = new Set([...positions, ...orders].map(({ row }) => `${row.marketId} ${row.market}`));
  const namedMarkets = [...(await currentMarketConfigs(context))].flatMap(([marketId, config]) =>
    typeof config === "object" && config.marketName.trim() !== "" ? [{ marketId, name: config.marketName }] : [],
  );
  const byText = groupBy(
    namedMarkets.flatMap(({ name }) => spellingsOf(name)),
    textOf,
  );
  return namedMarkets
    .filter(({ marketId, name }) => carried.has(`${marketId} ${name}`))
    .slice(0, namesAtMost)
    .map(({ marketId, name }) => ({
      marketId,
      spellings: spellingsOf(name).filter((symbols) => byText.get(textOf(symbols))?.length === 1),
    }));
}

/**
 * Whether a market also goes by these symbols: by the configuration found with them (S9), or, if there is none, because its
 * own name splits into them. In that case a name that splits into them need not mean another market (S8).
 */
export async function isNamedBy({ ask }: CheckContext, marketId: string, symbols: MarketSymbols): Promise<boolean> {
  const bySymbols = configIn(await ask("GetMarketConfigs", { market: { marketSymbol: { ...symbols } } }));
  if (bySymbols) return bySymbols.marketId === marketId;
  const ofThatId = configIn(await ask("GetMarketConfigs", byId({ marketId })));
  return ofThatId !== undefined && spellingsOf(ofThatId.marketName).map(textOf).includes(textOf(symbols));
}

function spellingsOf(name: string): readonly MarketSymbols[] {
  return [{ assetSymbol: name }, ...splits(name)];
}

function textOf({ assetSymbol, quoteSymbol = "" }: MarketSymbols): string {
  return JSON.stringify([assetSymbol, quoteSymbol]).toLowerCase();
}
