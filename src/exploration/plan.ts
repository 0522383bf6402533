import { draw, seedFor, shuffled } from "../arbitraries/seed.js";
import type { JsonObjectInput } from "../connect/json.js";
import { type Endpoint, isStream } from "../specification/endpoints.js";
import type { Profile } from "../specification/profile.js";
import { byId } from "../subjects/requests.js";
import { type MarketWithSymbols, marketsWithSymbols } from "../subjects/select.js";
import type { Subjects } from "../subjects/subjects.js";
import { type ClassRow, coveringArray, type Interactions, interactionsOf, type Strength } from "./covering-array.js";
import { type Draw, type PlannedRequest, plannedRequestKey, type RequestModel } from "./planned-request.js";
import { requestModelOf } from "./request-models.js";

/** The quick profile covers every pair of classes, the full profile every triple. */
export const strengthOf: Readonly<Record<Profile, Strength>> = { quick: 2, full: 3 };

/** One request of the exploration, and the classes that it was built from. */
export interface ExploredRequest extends PlannedRequest {
  readonly row: ClassRow;
  /** Set when the request shows a known deviation. Sampling never drops such a request. */
  readonly showsKnownDeviation?: true;
}

/** The requests that explore one operation, and the combinations they cover. */
export interface Plan {
  readonly requests: readonly ExploredRequest[];
  readonly interactions: Interactions;
  /** Requests sent one after another: a plain one, others that change one of its fields, and the plain one again. */
  readonly changes: readonly ExploredRequest[];
  /**
   * A plain request, sent right after each request that is refused for one fault. The server must not remember anything of
   * that.
   */
  readonly afterRefusals: readonly ExploredRequest[];
}

/** What determines a plan: the same options give the same requests. */
export interface PlanOptions {
  readonly subjects: Subjects;
  readonly strength: Strength;
  readonly seed: number;
}

/** Plans the requests of an operation. The plan is empty if the target has no subject for one of its fields. */
export function planFor(endpoint: Endpoint, { subjects, strength, seed }: PlanOptions): Plan {
  const model = requestModelOf(endpoint, subjects);
  const { fields } = model;
  if (Object.values(fields).some((classes) => classes.length === 0)) {
    return { requests: [], interactions: { strength, covered: 0, of: 0 }, changes: [], afterRefusals: [] };
  }
  const rows = coveringArray(fields, strength, seedFor(seed, endpoint));
  return {
    requests: rows.map((row, index) => {
      const turns = turnsOf(rows, index, seedFor(seed, endpoint));
      return requestOf(model, row, seedFor(seed, `${endpoint} ${index}`), turns);
    }),
    interactions: interactionsOf(fields, strength, rows),
    changes: isStream(endpoint) ? [] : [...changesOf(model, seed), ...changesOfSymbols(model, subjects, seed)],
    afterRefusals: afterRefusalsOf(model, subjects, seed),
  };
}

/**
 * The turn of each field in one of the rows: how often its class came up before. Other seeds begin with another turn. Where
 * a field has no classes, every row is a turn.
 */
function turnsOf(rows: readonly ClassRow[], index: number, seed: number): TurnOfField {
  const before = rows.slice(0, index);
  return (field) =>
    seedFor(seed, `first turn of ${field}`) + before.filter((row) => row[field] === rows[index]?.[field]).length;
}

/** Classes that write out the default of a field. */
const defaults: readonly string[] = ["zero", "false", "default"];

/** Fields that say which subject a request is about. */
const subjectFields: readonly string[] = ["market", "wallet"];

/** Whether the subjects of a class have anything to show. */
function hasSomething(name: string): boolean {
  return !/^(no |unknown)/.test(name);
}

/** How many other values to try per field. A single one may make no difference to the answer. */
const changesOfField = 2;

/**
 * For each field: a plain request, followed by some that give the field another value. A server whose cache key leaves out a
 * field is caught when these are asked one after another. Where the plain request leaves the field out, it follows again: a
 * server that takes the field from the request before is caught by that.
 */
function changesOf(model: RequestModel, seed: number): readonly ExploredRequest[] {
  const { endpoint, fields } = model;
  const changesSeed = seedFor(seed, `${endpoint} changes`);
  const plain = plainOf(model, changesSeed);
  // How a body is written is no part of what a server could remember.
  const { json: _, ...remembered } = fields;
  return Object.entries(remembered).flatMap(([field, classes]) => {
    const others = classes.filter((name) => name !== plain.row[field] && !defaults.includes(name));
    const setsMore = ({ body }: PlannedRequest, { body: less }: PlannedRequest) =>
      Object.entries(body).some(([name, value]) => value !== undefined && less[name] === undefined);
    const changed = shuffled(others, seedFor(changesSeed, `class ${field}`))
      .map((name) => withClass(model, plain, field, name, changesSeed))
      .filter((request) => plannedRequestKey(request) !== plannedRequestKey(plain))
      // A request that leaves the field out comes first.
      .sort((one, other) => Number(setsMore(plain, other)) - Number(setsMore(plain, one)))
      .slice(0, changesOfField);
    return changed.length === 0
      ? []
      : [
          plain,
          ...changed.flatMap((request) => [
            { ...request, after: plain },
            ...(setsMore(request, plain) ? [{ ...plain, after: request }] : []),
          ]),
        ];
  });
}

/**
 * The plain request with one field of another class. The length of a candle range depends on its interval, so for an
 * interval nothing else is changed.
 */
function withClass(
  model: RequestModel,
  plain: ExploredRequest,
  field: string,
  name: string,
  seed: number,
): ExploredRequest {
  const row = { ...plain.row, [field]: name };
  if (field === "interval" && model.endpoint === "GetHistoricalPrices") {
    return { ...plain, row, body: { ...plain.body, interval: name } };
  }
  return requestOf(model, row, seed);
}

/** A request for a market by its symbols, then one for a market that shares one of the two symbols. */
function changesOfSymbols(model: RequestModel, subjects: Subjects, seed: number): readonly ExploredRequest[] {
  const { endpoint } = model;
  if (!bySymbols.includes(endpoint)) return [];
  const plain = plainOf(model, seedFor(seed, `${endpoint} symbols`));
  const markets = shuffled(marketsWithSymbols(subjects), seedFor(seed, `${endpoint} symbols`));
  const requestFor = ({ symbols }: MarketWithSymbols): ExploredRequest => ({
    ...plain,
    body:
      endpoint === "GetMarketIdByName" ? { ...symbols } : { ...plain.body, market: { marketSymbol: { ...symbols } } },
  });
  return (["assetSymbol", "quoteSymbol"] as const).flatMap((part) => {
    const pairs = markets.flatMap((market) => {
      const twin = markets.find((each) => each !== market && each.symbols[part] === market.symbols[part]);
      return twin ? [[market, twin] as const] : [];
    });
    const [pair] = pairs;
    if (!pair) return [];
    const first = requestFor(pair[0]);
    return [first, { ...requestFor(pair[1]), after: first }];
  });
}

/** The operations that take symbols (§1, §4.9). */
const bySymbols: readonly Endpoint[] = ["GetOrders", "GetOrderBook", "GetMarketConfigs", "GetMarketIdByName"];

/** A plain request: a subject that has something to show, and the first class of every other field. */
function plainOf(model: RequestModel, seed: number): ExploredRequest {
  const plainClass = (field: string, classes: readonly string[]) => {
    const withSubject = subjectFields.includes(field) ? classes.filter(hasSomething) : [];
    return shuffled(withSubject, seedFor(seed, `class plain ${field}`))[0] ?? classes[0] ?? "";
  };
  const { fields } = model;
  const row = Object.fromEntries(Object.entries(fields).map(([field, classes]) => [field, plainClass(field, classes)]));
  return requestOf(model, row, seed);
}

/** Fields with a value that must be refused (§1, §4.6, §4.7, §4.9). */
function faultsOf(endpoint: Endpoint, { unknown }: Subjects): readonly JsonObjectInput[] {
  const zero = byId({ marketId: "0" });
  const unknownMarket = byId(unknown);
  switch (endpoint) {
    case "GetOrders":
      return [zero];
    case "GetOrderBook":
      // A step is a power of ten of the minimum tick, so 3 is never one.
      return [zero, unknownMarket, { tickSize: 3 }, { tickSize: -1 }];
    case "GetHistoricalPrices":
      return [zero, unknownMarket, { interval: "7" }];
    case "GetMarketConfigs":
      return [zero, unknownMarket];
    case "GetMarketIdByName":
      return [{ assetSymbol: " " }, { ...unknown.symbols }];
    default:
      return [];
  }
}

function afterRefusalsOf(model: RequestModel, subjects: Subjects, seed: number): readonly ExploredRequest[] {
  const { endpoint } = model;
  const plain = plainOf(model, seedFor(seed, `${endpoint} after refusals`));
  return faultsOf(endpoint, subjects).map((fault) => ({
    ...plain,
    after: { ...plain, body: { ...plain.body, ...fault } },
  }));
}

/** Which alternative of its class a field is drawn from, counted modulo their number. */
type TurnOfField = (field: string) => number;

/** The request of an operation for a row of classes. The same seed draws the same values. */
export function requestOf(
  model: RequestModel,
  row: ClassRow,
  seed: number,
  turnOf: TurnOfField = (field) => seedFor(seed, `turn of ${field}`),
): ExploredRequest {
  const drawIn: Draw = (field, ...alternatives) => {
    const chosen = alternatives[turnOf(field) % alternatives.length];
    if (chosen === undefined) throw new RangeError(`no values of ${field}`);
    return draw(chosen, seedFor(seed, field));
  };
  return { row, ...model.request(row, drawIn) };
}
