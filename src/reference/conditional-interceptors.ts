/** Interceptors for mutants whose fault shows only when several properties of a request coincide. */
import type { Endpoint, UnaryEndpoint } from "../specification/endpoints.js";
import type { Dataset } from "./dataset/dataset.js";
import type { Market, OrderRecord, Wallet } from "./dataset/model.js";
import { jsonReply } from "./endpoint-handler.js";
import { isObject, type MutableJson, type MutableJsonObject, numberIn } from "./json.js";
import { type CallContext, type Interceptors, on } from "./modification.js";
import {
  folded,
  idIn,
  isId,
  isOfAsset,
  isOfQuote,
  listedMarkets,
  marketNamed,
  type SelectorSymbols,
  symbolsIn,
} from "./selector-interceptors.js";

/** Condition on a request for a fault to show. */
export type RequestCondition = (json: MutableJsonObject, context: CallContext) => boolean;

/** Whether all of these conditions hold. */
export function all(...conditions: readonly RequestCondition[]): RequestCondition {
  return (json, context) => conditions.every((holds) => holds(json, context));
}

/** Whether a request selects its market by symbols. */
export const bySymbols: RequestCondition = (json) => symbolsOf(json) !== undefined;

/** Whether a request has an offset. */
export const withOffset: RequestCondition = (json) => numberIn(json, "offset") > 0;

/** Changes requests of one operation before they are decoded, when `when` holds. */
export function rewrites(
  endpoint: Endpoint,
  when: RequestCondition,
  change: (json: MutableJsonObject, context: CallContext) => MutableJsonObject,
): Required<Interceptors>["request"] {
  return on(endpoint, (json, context) => (when(json, context) ? change(json, context) : undefined));
}

/** Drops a field from requests of one operation, when `when` holds. */
export function loses(endpoint: Endpoint, field: string, when: RequestCondition): Required<Interceptors>["request"] {
  return rewrites(endpoint, when, ({ [field]: _, ...rest }) => rest);
}

const statuses = { invalid_argument: 400, not_found: 404, resource_exhausted: 429, internal: 500 } as const;

/** Sends an error in place of successful responses of one operation, when `when` holds. */
export function refuses(
  endpoint: UnaryEndpoint,
  code: keyof typeof statuses,
  when: (context: CallContext) => boolean,
): Required<Interceptors>["http"] {
  return on(endpoint, ({ status }, context) =>
    status === 200 && when(context)
      ? jsonReply(statuses[code], { code, message: "the request is refused" })
      : undefined,
  );
}

/** Whether an address or symbol has surrounding whitespace. */
export function isPadded(text: MutableJson | undefined): text is string {
  return typeof text === "string" && text !== text.trim() && text.trim() !== "";
}

/** Whether an address has upper-case letters. */
export function hasCapitals(text: MutableJson | undefined): text is string {
  return typeof text === "string" && text !== text.toLowerCase();
}

/** Whether a timestamp is written with an offset from UTC. */
export function hasTimeOffset(time: MutableJson | undefined): time is string {
  return typeof time === "string" && timeOffset.test(time);
}

/** Matches the UTC offset at the end of a timestamp. */
export const timeOffset = /[+-]\d\d:\d\d$/;

/** The symbols in a request's market selector; undefined when it selects by id or not at all. */
export function symbolsOf({ market }: MutableJsonObject): SelectorSymbols | undefined {
  return isObject(market) ? symbolsIn(market) : undefined;
}

/** The market that a request selects; undefined when it selects none or an unknown one. */
export function selectedBy({ market }: MutableJsonObject, data: Dataset): Market | undefined {
  if (!isObject(market)) return undefined;
  const symbols = symbolsIn(market);
  if (symbols !== undefined) return marketNamed(data, symbols);
  const id = idIn(market);
  return id !== undefined && isId(id) ? data.markets.get(BigInt(id)) : undefined;
}

/** The listed market at an index, in order of creation. */
export function marketAt(data: Dataset, place: number): Market | undefined {
  return listedMarkets(data)[place];
}

/** The market of the asset, when both symbols are known but no market pairs them. */
export function uncombined(data: Dataset, symbols: SelectorSymbols): Market | undefined {
  if (folded(symbols.quote) === "" || marketNamed(data, symbols)) return undefined;
  const listed = listedMarkets(data);
  const isKnownQuote = listed.some((market) => isOfQuote(market, symbols.quote));
  return isKnownQuote ? listed.find((market) => isOfAsset(market, symbols.asset)) : undefined;
}

/** Replaces an unknown address in requests of one operation with the first known address that shares its `part`. */
export function mistakesAddresses(
  endpoint: Endpoint,
  part: (address: string) => string,
): Required<Interceptors>["request"] {
  return on(endpoint, (json, { dataset: { wallets } }) => {
    const address = String(json.address).trim().toLowerCase();
    const known = [...wallets.keys()].find((other) => part(other) === part(address));
    return known === undefined || wallets.has(address) ? undefined : { ...json, address: known };
  });
}

/** An address that no wallet has. */
export const noAddress = `0x${"0".repeat(39)}1`;

/** The wallets, those with most orders first. */
export function walletsByOrders({ wallets }: Pick<Dataset, "wallets">): readonly Wallet[] {
  return [...wallets.values()].sort((a, b) => b.orders.length - a.orders.length);
}

/** The wallet at an index when sorted by the number of open positions, most first. */
export function walletByOpenPositions({ wallets }: Dataset, place: number): string | undefined {
  const open = (address: string) => wallets.get(address)?.positions.filter((position) => position.open).length ?? 0;
  return [...wallets.keys()].sort((a, b) => open(b) - open(a))[place];
}

/** Whether an address belongs to the wallet with the most orders. */
export function isHeaviest(dataset: Dataset, address: unknown): boolean {
  const [heaviest] = walletsByOrders(dataset);
  return heaviest !== undefined && heaviest.address === address;
}

/** Inserts an order of another wallet about halfway into a wallet's orders, where its time belongs. */
export function withForeignOrder(rows: readonly OrderRecord[], { dataset }: CallContext): readonly OrderRecord[] {
  const halfway = rows[Math.floor(rows.length / 2)];
  const foreign = dataset.orders.find(
    ({ owner, createdAt }) => halfway !== undefined && createdAt <= halfway.createdAt && owner !== halfway.owner,
  );
  if (foreign === undefined) return rows;
  const newer = rows.filter(({ createdAt }) => createdAt >= foreign.createdAt).length;
  return rows.toSpliced(newer, 0, foreign);
}

/** Whether the request lacks Connect-Protocol-Version. */
export function lacksVersion({ headers }: CallContext): boolean {
  return !headers.has("connect-protocol-version");
}

/** Whether the request has Connect-Timeout-Ms. */
export function hasTimeout({ headers }: CallContext): boolean {
  return headers.has("connect-timeout-ms");
}
