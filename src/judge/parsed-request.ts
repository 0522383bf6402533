/** Parses what a request asks for into the specification's terms, however the request is written (§1, §4). */
import { isJsonObject, type Json, type JsonObject, parseJsonObject } from "../connect/json.js";
import type { Endpoint } from "../specification/endpoints.js";
import { type CandleInterval, candleIntervals } from "../specification/enums.js";
import { int32Max, tickRefusalMargin, tickStepMaxPower, tickTolerance } from "../specification/limits.js";
import { parseInstant } from "./instant.js";

/** What is known about a target: its markets, its wallets, and a wallet that it does not have. */
export interface KnownSubjects {
  readonly markets: readonly KnownMarket[];
  readonly wallets: readonly { readonly address: string }[];
  readonly unknown: { readonly wallet: string; readonly zeroAddress?: boolean };
}

/** A market of the target. Optional members are absent when they are not known. */
export interface KnownMarket {
  readonly marketId: string;
  readonly tickDecimals?: number;
  readonly symbols?: { readonly assetSymbol: string; readonly quoteSymbol?: string };
}

/** A parsed request. A member is absent when the request omits the field. */
export interface ParsedRequest {
  readonly limit?: number;
  readonly offset?: number;
  readonly levels?: number;
  readonly onlyOpen: boolean;
  readonly sizeInUsd: boolean;
  /** The wallet address, trimmed and in lower case (§1). */
  readonly wallet?: string;
  /** Whether the address or asset symbol had whitespace around it (`padded`), or was not in its usual case (`recased`). */
  readonly padded: boolean;
  readonly recased: boolean;
  /** The market, whether it was given by id, by symbols or by name. */
  readonly marketId?: string;
  readonly bySymbols: boolean;
  /** The bucket size in effect: 0 without bucketing (§4.6). Absent when it cannot be determined. */
  readonly tick?: number;
  /** Whether the bucket size was below the minimum tick (B10). */
  readonly belowMinimum: boolean;
  readonly interval?: CandleInterval;
  readonly startTime?: string;
  readonly endTime?: string;
  /** The symbols of a GetMarketIdByName request. The asset symbol is trimmed and in upper case. */
  readonly assetSymbol?: string;
  readonly quoteSymbol?: string;
}

/**
 * Parses a request body. Returns undefined unless the request is well-typed, uses documented values and names known
 * markets: only such a request has a documented answer.
 */
export function parseRequest(endpoint: Endpoint, text: string, known: KnownSubjects): ParsedRequest | undefined {
  const request = parseJsonObject(text);
  if (!request) return undefined;
  const reader = new RequestReader(request, known);
  const asked = readers[endpoint](reader);
  return reader.documented ? { ...nothingAsked, ...asked } : undefined;
}

/** Addresses that differ in at most this many leading or trailing digits form a series, as those of test platforms do. */
const seriesDigits = 8;

/**
 * Two addresses that differ from the first known wallet's only in the first or the last digit, so that no wallet should
 * have them. Empty when the known addresses are sequential or look made up: a neighbouring address may then be a real
 * wallet that was not seen.
 */
export function nextWallets(known: Pick<KnownSubjects, "wallets">): readonly string[] {
  const { wallets } = known;
  const [first] = wallets;
  const isSeries = [
    (digits: string) => digits.slice(0, -seriesDigits),
    (digits: string) => digits.slice(seriesDigits),
  ].some((part) => new Set(wallets.map(({ address }) => part(address.slice(prefix.length)))).size < wallets.length);
  if (!first || isSeries || new Set(first.address).size < seriesDigits) return [];
  const digits = first.address.slice(prefix.length);
  return [
    prefix + otherDigit(digits.charAt(0)) + digits.slice(1),
    prefix + digits.slice(0, -1) + otherDigit(digits.slice(-1)),
  ];
}

const prefix = "0x";

function otherDigit(digit: string): string {
  return digit === "0" ? "1" : "0";
}

/** The zero address, which programs often treat as no address. */
export const zeroAddress = `0x${"0".repeat(40)}`;

/** Whether an answer shows this wallet. The address must be in lower case. */
export function isKnownWallet(wallet: string, { wallets }: Pick<KnownSubjects, "wallets">): boolean {
  return wallets.some(({ address }) => address === wallet);
}

/** Whether a request names a wallet that some answer shows. */
export function isOfKnownWallet({ wallet }: ParsedRequest, known: KnownSubjects): boolean {
  return wallet !== undefined && isKnownWallet(wallet, known);
}

/** Whether a request names a wallet that no answer shows. */
export function isOfUnknownWallet({ wallet }: ParsedRequest, known: KnownSubjects): boolean {
  if (wallet === undefined) return false;
  const isUnknownZero = wallet === zeroAddress && known.unknown.zeroAddress === true;
  return isUnknownZero || wallet === known.unknown.wallet || nextWallets(known).includes(wallet);
}

/** Whether a request names a wallet, one that some answer shows or one that none does. */
export function isOfWallet(asked: ParsedRequest, known: KnownSubjects): boolean {
  return isOfKnownWallet(asked, known) || isOfUnknownWallet(asked, known);
}

const nothingAsked = {
  onlyOpen: false,
  sizeInUsd: false,
  padded: false,
  recased: false,
  bySymbols: false,
  belowMinimum: false,
} as const;

const readers: Readonly<Record<Endpoint, (reader: RequestReader) => Partial<ParsedRequest>>> = {
  GetAllPositions: (reader) => ({ ...reader.count("limit"), ...reader.count("offset") }),
  GetOpenPositionsStreaming: (reader) => reader.wallet("address", true),
  GetAllOrders: (reader) => ({
    ...reader.count("limit"),
    ...reader.count("offset"),
    ...reader.wallet("address", false),
    onlyOpen: reader.flag("onlyOpen"),
  }),
  GetOrders: (reader) => ({ ...reader.wallet("address", true), ...reader.market(false) }),
  GetPortfolio: (reader) => reader.wallet("owner", true),
  GetOrderBook: (reader) => ({
    ...reader.count("limit"),
    ...reader.count("offset"),
    ...reader.count("levels"),
    ...reader.tick(),
    sizeInUsd: reader.flag("sizeInUsd"),
  }),
  GetHistoricalPrices: (reader) => ({ ...reader.market(true), ...reader.range() }),
  GetMarketConfigs: (reader) => reader.market(true),
  GetMarketIdByName: (reader) => reader.name(),
};

/** Reads the fields of a request. Clears `documented` when a value is not documented. */
class RequestReader {
  documented = true;

  constructor(
    private readonly body: JsonObject,
    private readonly known: KnownSubjects,
  ) {}

  /** Reads an integer from 0 to the int32 maximum. The outcome of other values is left open (P2: negative values; T3). */
  count(field: "limit" | "offset" | "levels"): Partial<ParsedRequest> {
    const value = this.body[field];
    if (value === undefined) return {};
    const isCount = typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= int32Max;
    return isCount ? { [field]: value } : this.#undocumented();
  }

  flag(field: string): boolean {
    const value = this.body[field];
    if (value !== undefined && typeof value !== "boolean") this.#undocumented();
    return value === true;
  }

  wallet(field: string, required: boolean): Partial<ParsedRequest> {
    const value = this.body[field];
    if (value === undefined && !required) return {};
    if (typeof value !== "string") return this.#undocumented();
    const address = value.trim();
    if (!/^0x[0-9a-f]{40}$/i.test(address)) return this.#undocumented();
    const wallet = address.toLowerCase();
    return { wallet, padded: address !== value, recased: address !== wallet };
  }

  /** Reads the market selector: exactly one alternative, naming a known market (§1). */
  market(required: boolean): Partial<ParsedRequest> {
    const selector = this.body.market;
    if (selector === undefined && !required) return {};
    const market = isJsonObject(selector) ? this.#selected(selector) : undefined;
    return market
      ? { marketId: market.marketId, bySymbols: isJsonObject(selector) && selector.marketSymbol !== undefined }
      : this.#undocumented();
  }

  #selected({ marketId, marketSymbol, ...others }: JsonObject): KnownMarket | undefined {
    if (Object.keys(others).length > 0 || (marketId === undefined) === (marketSymbol === undefined)) return undefined;
    if (marketId !== undefined) return this.known.markets.find((market) => market.marketId === marketId);
    if (!isJsonObject(marketSymbol)) return undefined;
    const { assetSymbol, quoteSymbol } = marketSymbol;
    return this.known.markets.find(
      ({ symbols }) =>
        symbols?.quoteSymbol !== undefined &&
        symbols.assetSymbol === assetSymbol &&
        symbols.quoteSymbol === quoteSymbol,
    );
  }

  /**
   * Reads a book's market and bucket size: 0, a power-of-ten step, or a smaller size, clamped to the minimum (B7 to B10).
   */
  tick(): Partial<ParsedRequest> {
    const selected = this.market(true);
    const size = this.body.tickSize;
    if (size === undefined || size === 0) return { ...selected, tick: 0 };
    const decimals = this.known.markets.find(({ marketId }) => marketId === selected.marketId)?.tickDecimals;
    if (typeof size !== "number" || size < 0) return this.#undocumented();
    if (decimals === undefined || !Number.isInteger(decimals)) return selected;
    const minimum = Number(`1e${-decimals}`);
    if (size < minimum * (1 - tickRefusalMargin)) return { ...selected, tick: minimum, belowMinimum: true };
    const power = Math.round(Math.log10(size) + decimals);
    const step = Number(`1e${power - decimals}`);
    const isStep = power >= 0 && power <= tickStepMaxPower && Math.abs(size - step) <= tickTolerance * step;
    return isStep ? { ...selected, tick: step } : this.#undocumented();
  }

  range(): Partial<ParsedRequest> {
    const { interval: name, startTime, endTime } = this.body;
    const interval = candleIntervals.find((each) => each === name);
    if (!interval || !isTimestamp(startTime) || !isTimestamp(endTime)) return this.#undocumented();
    return { interval, startTime, endTime };
  }

  /** Reads the symbols for GetMarketIdByName. Only the asset symbol may vary in case and surrounding whitespace (§4.9, S6). */
  name(): Partial<ParsedRequest> {
    const { assetSymbol, quoteSymbol } = this.body;
    if (!isSymbol(assetSymbol) || (quoteSymbol !== undefined && !isSymbol(quoteSymbol))) return this.#undocumented();
    const symbol = assetSymbol.trim().toUpperCase();
    const market = this.known.markets.find(
      ({ symbols }) => symbols?.assetSymbol.toUpperCase() === symbol && symbols.quoteSymbol === quoteSymbol,
    );
    if (!market) return this.#undocumented();
    return {
      marketId: market.marketId,
      assetSymbol: symbol,
      ...(quoteSymbol !== undefined && { quoteSymbol }),
      padded: assetSymbol !== assetSymbol.trim(),
      recased: assetSymbol.trim() !== market.symbols?.assetSymbol,
    };
  }

  #undocumented(): Record<string, never> {
    this.documented = false;
    return {};
  }
}

function isTimestamp(value: Json | undefined): value is string {
  return typeof value === "string" && parseInstant(value) !== undefined;
}

function isSymbol(value: Json | undefined): value is string {
  return typeof value === "string" && value.trim() !== "";
}
