import { z } from "zod";
import { normalizeBaseUrl } from "../connect/base-url.js";
import type { ConfiguredMarket, Target } from "../connect/target.js";
import { exactly } from "../files/exact.js";
import { isRuleId } from "../specification/catalogue/index.js";
import { endpointNames } from "../specification/endpoints.js";
import { candleIntervals } from "../specification/enums.js";
import { isOwnRuleId } from "../specification/own-rules.js";
import { profiles } from "../specification/profile.js";
import { isReadings, type Readings } from "../specification/readings.js";
import { maxShards, type Shard } from "../specification/shard.js";
import type {
  BrokenOperation,
  DiscoveryProblem,
  MarketSubject,
  MarketSymbols,
  OrphanMarket,
  PositionSubject,
  Subjects,
  Totals,
  UnknownSubjects,
  WalletSubject,
} from "../subjects/subjects.js";
import type { Selection, Session } from "./session-data.js";
import type { Traffic } from "./traffic.js";

const text = z.string();
const texts = z.array(text);
const count = z.int().min(0);
const positive = z.number().positive();
const optional = z.exactOptional;
const endpoint = z.enum(endpointNames);

/** A number from the target. JSON cannot represent some of them (see `writeSession`). */
const given = z.union([z.number(), z.enum(["NaN", "Infinity", "-Infinity"]).transform(Number)]);

const baseUrl = text.refine((url) => {
  const normalized = normalizeBaseUrl(url);
  return "baseUrl" in normalized && normalized.baseUrl === url;
}, "it is not a base URL");

const target = exactly<Target>({
  baseUrl,
  transport: z.enum(["http1", "h2c", "h2"]),
  tls: z.strictObject({ insecure: z.boolean() }),
  timeoutMs: positive,
  concurrency: positive,
  rate: optional(positive),
  correlation: optional(z.boolean()),
  known: exactly<Target["known"]>({
    markets: z.array(
      exactly<ConfiguredMarket>({ marketId: text, assetSymbol: optional(text), quoteSymbol: optional(text) }),
    ),
    wallets: texts,
  }),
  secrets: z.strictObject({ headers: z.tuple([]) }),
});

const symbols = exactly<MarketSymbols>({ assetSymbol: text, quoteSymbol: optional(text) });

const market = exactly<MarketSubject>({
  marketId: text,
  provenance: optional(text),
  name: optional(text),
  tickDecimals: optional(given),
  symbols: optional(symbols),
  symbolsFrom: optional(z.enum(["listing", "configuration"])),
  bookOrders: optional(given),
  candles: optional(given),
  latestTrades: optional(z.partialRecord(z.enum(candleIntervals), text)),
  rowsSeen: count,
});

const wallet = exactly<WalletSubject>({
  address: text,
  provenance: optional(text),
  hasLetters: z.boolean(),
  orders: optional(given),
  ordersSeen: count,
  markets: texts,
  hasReduceOnlyOrders: z.boolean(),
  closedPositions: count,
  openPositions: optional(given),
  openOrders: optional(given),
  openStatuses: texts,
  openReduceTypes: texts,
  portfolio: optional(text),
});

const position = exactly<PositionSubject>({
  positionId: text,
  marketId: text,
  owner: text,
  state: z.enum(["open", "closed", "unknown"]),
  stopLossPrice: given,
  takeProfitPrice: given,
  associated: count,
  provenance: text,
});

const subjects = exactly<Subjects>({
  markets: z.array(market),
  orphanMarkets: z.array(exactly<OrphanMarket>({ marketId: text, provenance: text, denial: text })),
  otherMarkets: texts,
  wallets: z.array(wallet),
  positions: z.array(position),
  orderStatuses: texts,
  reduceOrderTypes: texts,
  totals: exactly<Totals>({
    orders: optional(given),
    openOrders: optional(given),
    positions: optional(given),
    latestOrder: optional(text),
    latestPosition: optional(text),
    seenAt: optional(text),
  }),
  unknown: exactly<UnknownSubjects>({
    marketId: text,
    wallet: text,
    zeroAddress: optional(z.boolean()),
    symbols: exactly<UnknownSubjects["symbols"]>({ assetSymbol: text, quoteSymbol: text }),
  }),
  problems: z.array(exactly<DiscoveryProblem>({ endpoint, what: text, exchange: text })),
  broken: z.array(
    exactly<BrokenOperation>({ operation: endpoint, kind: z.enum(["absent", "unimplemented"]), answered: text }),
  ),
  hints: z.record(text, text),
  requests: count,
});

const selection = exactly<Selection>({
  rules: z.array(text.refine((id) => isRuleId(id) || isOwnRuleId(id), "it is not a rule that this version knows")),
  suites: texts,
  shard: optional(
    exactly<Shard>({ index: z.int().min(1), count: z.int().min(1).max(maxShards) }).refine(
      ({ index, count: of }) => index <= of,
      "there is no such shard",
    ),
  ),
});

/** A session as stored in a file, without secrets and file names. */
export type SessionOnFile = Omit<Session, "ownSuites" | "recordDir">;

export const sessionSchema = exactly<SessionOnFile>({
  target,
  subjects,
  profile: z.enum(profiles),
  seed: count,
  readings: z.custom<Readings>(isReadings, "it is not a choice of readings that this version knows"),
  selection,
  notImplemented: z.array(endpoint),
  streamWatchMs: optional(count),
  alsoAsk: optional(texts),
  startedAt: z.iso.datetime(),
  discovery: exactly<Traffic>({
    count,
    streams: count,
    brokenOff: optional(count),
    bytesReceived: count,
    successes: z.partialRecord(endpoint, count) as z.ZodType<Traffic["successes"]>,
    embedded: optional(z.literal(true)),
  }),
});
