/**
 * Faulty bodies (§7, E6): bodies that are not a JSON object, and fields of a JSON type that no reading accepts. Each differs
 * from a well-formed request by exactly one fault.
 */
import fc from "fast-check";
import { type JsonInput, type JsonObjectInput, rawJson, stringify } from "../connect/json.js";
import type { Endpoint } from "../specification/endpoints.js";

/** ASCII without control characters. */
const printable = String.fromCharCode(...Array.from({ length: 0x7f - 0x20 }, (_, index) => 0x20 + index));

/** A body with one fault. */
export interface FaultyBody {
  /** The fault, in words. */
  readonly fault: string;
  readonly body: JsonInput;
}

/**
 * One body of each kind that is not a JSON object, made from a well-formed request. JSON dialects that some parsers accept
 * (comments, single quotes, a byte order mark) are left out, because their meaning is not in doubt. So is an empty body,
 * which some servers take for an empty object (E6).
 */
export function malformedBodies(request: JsonObjectInput): readonly FaultyBody[] {
  const text = stringify(request);
  return [
    raw("an array", `[${text}]`),
    raw("form data", "limit=5&offset=0"),
    raw("an object that breaks off", text.slice(0, -1)),
    raw("an object and another one", `${text}{}`),
  ];
}

/** An empty body. Whether it counts as an empty object is left open (E6). */
export const emptyBody: FaultyBody = raw("an empty body", "");

/** Any body that is not a JSON object. */
export function malformedBody(request: JsonObjectInput): fc.Arbitrary<FaultyBody> {
  const text = stringify(request);
  return fc.oneof(
    fc.integer({ min: 1, max: text.length - 1 }).map((end) => raw("an object that breaks off", text.slice(0, end))),
    // No JSON literal starts with one of these, and nothing may follow the end of an object.
    textOf("abcdeghijklmopqrsuvwxyz+*/=", 1, 12).chain((word) =>
      fc.constantFrom(raw("a word", word), raw("an object and a word", `${text}${word}`)),
    ),
    fc.constantFrom(raw("XML", "<request/>"), raw("a number", "7"), raw("true", "true")),
    fc
      .oneof(fc.integer(), fc.boolean(), textOf(printable, 0, 12), fc.array(fc.integer(), { maxLength: 3 }))
      .map((value) => raw("a JSON value that is no object", JSON.stringify(value))),
  );
}

/** Strings of these characters. Much faster than regular-expression arbitraries, which are rebuilt on every run. */
function textOf(characters: string, minLength: number, maxLength: number): fc.Arbitrary<string> {
  return fc.array(fc.constantFrom(...characters), { minLength, maxLength }).map((chosen) => chosen.join(""));
}

function raw(fault: string, text: string): FaultyBody {
  return { fault, body: rawJson(text) };
}

/** What a field accepts. Each kind refuses other JSON types (E6). */
type FieldKind = "number" | "flag" | "id" | "address" | "time" | "text" | "object";

/** The fields of each request, by path. Fields documented as ignored are left out, since they accept anything. */
const fields: Readonly<Record<Endpoint, readonly (readonly [path: string, kind: FieldKind])[]>> = {
  GetAllPositions: [
    ["limit", "number"],
    ["offset", "number"],
  ],
  GetOpenPositionsStreaming: [
    ["address", "address"],
    ["updateIntervalMs", "number"],
  ],
  GetAllOrders: [
    ["limit", "number"],
    ["offset", "number"],
    ["address", "address"],
    ["onlyOpen", "flag"],
  ],
  GetOrders: [["address", "address"], ...selector()],
  GetPortfolio: [["owner", "address"]],
  GetOrderBook: [
    ...selector(),
    ["tickSize", "number"],
    ["sizeInUsd", "flag"],
    ["levels", "number"],
    ["limit", "number"],
    ["offset", "number"],
  ],
  GetHistoricalPrices: [...selector(), ["startTime", "time"], ["endTime", "time"], ["interval", "text"]],
  GetMarketConfigs: [...selector()],
  GetMarketIdByName: [
    ["assetSymbol", "text"],
    ["quoteSymbol", "text"],
  ],
};

function selector(): readonly (readonly [path: string, kind: FieldKind])[] {
  return [
    ["market", "object"],
    ["market.marketId", "id"],
    ["market.marketSymbol", "object"],
    ["market.marketSymbol.assetSymbol", "text"],
    ["market.marketSymbol.quoteSymbol", "text"],
  ];
}

/**
 * Values of the wrong JSON type for each kind of field: a structure, a boolean, and the others that E6 names. Where a
 * lenient parser might unwrap the value, it is built from the right one.
 */
const wrong: Readonly<Record<FieldKind, (right: JsonInput | undefined) => readonly JsonInput[]>> = {
  number: () => [{}, true, "ten"],
  flag: () => [{}],
  id: (right = "1") => [[right], {}, true],
  address: () => [{}, 12345],
  time: () => [{ seconds: 1 }, 1_767_225_600],
  text: (right = "BTC") => [[right], true],
  object(right) {
    const text = firstText(right) ?? "BTC";
    return [text, ...pairIn(right), right === undefined ? [] : [right], /^\d+$/.test(text) ? BigInt(text) : 1, false];
  },
};

/** The first string in an object: the id of a selector, or the asset of a symbol pair. */
function firstText(value: JsonInput | undefined): string | undefined {
  const members: readonly unknown[] = typeof value === "object" && value !== null ? Object.values(value) : [];
  return members.find((member) => typeof member === "string");
}

/** The two symbols of a pair as the name of a market. */
function pairIn(value: JsonInput | undefined): readonly string[] {
  const { assetSymbol, quoteSymbol } = (value ?? {}) as JsonObjectInput;
  return typeof assetSymbol === "string" && typeof quoteSymbol === "string" ? [`${assetSymbol}-${quoteSymbol}`] : [];
}

/**
 * The request with one field of a wrong type: every field it may have, with every wrong type. In the selector, only the
 * alternative that the request uses is broken, since adding the other one would be a second fault.
 */
export function wrongTypes(endpoint: Endpoint, request: JsonObjectInput): readonly FaultyBody[] {
  return placesIn(endpoint, request).flatMap(([path, kind]) =>
    wrong[kind](at(request, path)).map((value) => replaced(request, path, value)),
  );
}

/** Values that a lenient parser may accept for each kind of field. Whether it does is left open (E6). */
const lenient: Partial<Readonly<Record<FieldKind, readonly JsonInput[]>>> = {
  number: ["3"],
  flag: ["true"],
  id: [1],
  address: [null],
};

/** The request with one field of a type that a lenient parser accepts, or with `null` in its place (E6). */
export function lenientTypes(endpoint: Endpoint, request: JsonObjectInput): readonly FaultyBody[] {
  const places = placesIn(endpoint, request);
  const [nullable] = places;
  return [
    ...places.flatMap(([path, kind]) => (lenient[kind] ?? []).map((value) => replaced(request, path, value))),
    ...(nullable && !lenient[nullable[1]]?.includes(null) ? [replaced(request, nullable[0], null)] : []),
  ];
}

/** Where the field of a wrong type is: in the market selector, or elsewhere in the request. */
export type FaultPlace = "selector" | "elsewhere";

/** Where a fault of {@link wrongTypes} is. */
export function faultPlace({ fault }: FaultyBody): FaultPlace {
  return isInSelector(fault) ? "selector" : "elsewhere";
}

/** Whether a field is the market selector or inside it. No other field name starts with `market`. */
function isInSelector(path: string): boolean {
  return path.startsWith("market");
}

/** The request with any field of any wrong type. */
export function wrongType(endpoint: Endpoint, request: JsonObjectInput): fc.Arbitrary<FaultyBody> {
  return fc
    .constantFrom(...placesIn(endpoint, request))
    .chain(([path, kind]) => wrongValues[kind].map((value) => replaced(request, path, value)));
}

const boxed = fc.oneof(
  fc.constant({}),
  fc.constant([]),
  fc.array(fc.oneof(fc.integer(), fc.boolean()), { maxLength: 3 }),
  fc.dictionary(fc.constantFrom("value", "amount", "a"), fc.integer(), { maxKeys: 2 }),
);
/** Excludes letters that could start a name for a number, such as Infinity or NaN, and hexadecimal digits. */
const letters = textOf("ghjklmopqrstuvwyz", 1, 8);

const wrongValues: Readonly<Record<FieldKind, fc.Arbitrary<JsonInput>>> = {
  number: fc.oneof(boxed, fc.boolean(), letters),
  flag: boxed,
  id: fc.oneof(boxed, fc.boolean()),
  address: fc.oneof(boxed, fc.boolean(), fc.integer()),
  time: fc.oneof(boxed, fc.boolean(), fc.integer()),
  text: fc.oneof(boxed, fc.boolean()),
  object: fc.oneof(letters, fc.boolean(), fc.integer(), fc.array(fc.integer(), { maxLength: 2 })),
};

/** Where faults can be placed. Fields of the request itself may be absent; fields of the selector must be present. */
function placesIn(endpoint: Endpoint, request: JsonObjectInput): readonly (readonly [path: string, kind: FieldKind])[] {
  return fields[endpoint].filter(([path]) => !isInSelector(path) || at(request, path) !== undefined);
}

function at(request: JsonObjectInput, path: string): JsonInput | undefined {
  let value: JsonInput | undefined = request;
  for (const name of path.split(".")) value = (value as JsonObjectInput | undefined)?.[name];
  return value;
}

function replaced(request: JsonObjectInput, path: string, value: JsonInput): FaultyBody {
  return { fault: `${path}: ${stringify(value)}`, body: withMember(request, path.split("."), value) };
}

function withMember(json: JsonObjectInput, [name = "", ...rest]: readonly string[], value: JsonInput): JsonObjectInput {
  const member = rest.length === 0 ? value : withMember((json[name] ?? {}) as JsonObjectInput, rest, value);
  return { ...json, [name]: member };
}
