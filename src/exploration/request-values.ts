/** Draws the values of request fields by their classes. */
import fc from "fast-check";
import { paddedAddresses, recased } from "../arbitraries/addresses.js";
import { hasCase, inOneCase, recasedSymbol } from "../arbitraries/symbols.js";
import { tickSizeOf } from "../arbitraries/ticks.js";
import { type JsonInput, type JsonObjectInput, rawJson } from "../connect/json.js";
import { formatInstant, type Instant, plusSeconds } from "../judge/instant.js";
import {
  type Classes,
  headerClasses,
  notationClasses,
  type TextVariant,
  type Ticks,
  type Zone,
} from "../specification/request-fields.js";
import type { MarketSubject } from "../subjects/subjects.js";
import type { ClassRow } from "./covering-array.js";
import type { Draw, PlannedRequest } from "./planned-request.js";
import { drawSubject } from "./subject-classes.js";

/** A value of the class that a row of the covering array names for a field; undefined if the field has no such class. */
export function drawValue<Value>(field: string, classes: Classes<Value>, row: ClassRow, draw: Draw): Value | undefined {
  const values = classes[row[field] ?? ""];
  return values && draw(field, ...values);
}

/** The headers of a planned request, in addition to the usual ones. */
export function headersOf(row: ClassRow, draw: Draw): PlannedRequest["headers"] {
  return drawSubject<PlannedRequest["headers"]>("headers", headerClasses, row, draw) ?? {};
}

/** The selector of a market by its id or by its symbols; by id where these are not known (S8). */
export function selectorOf({ marketId, symbols }: MarketSubject, selector: string | undefined): JsonObjectInput {
  const bySymbols = selector === "by symbols" && symbols?.quoteSymbol !== undefined;
  return bySymbols ? { marketSymbol: { ...symbols } } : { marketId };
}

/** A tick size in the notation of its class; undefined if it is omitted, or if the decimals of the market are unknown. */
export function tickOf(
  market: MarketSubject | undefined,
  ticks: Ticks | undefined,
  row: ClassRow,
): JsonInput | undefined {
  if (ticks === undefined) return undefined;
  const notation = notationClasses.find((each) => each === row.notation) ?? "decimal";
  if (ticks.mantissa === 0) return notation === "with a zero at its end" ? rawJson("0.0") : 0;
  if (market?.tickDecimals === undefined) return undefined;
  return rawJson(tickSizeOf(ticks.mantissa, ticks.power, market.tickDecimals, notation).text);
}

/** Ways to change the case of a text: of some letters, or of all of them to upper or to lower case. */
interface Recasing {
  readonly some: (text: string) => fc.Arbitrary<string>;
  readonly all: (text: string) => readonly fc.Arbitrary<string>[];
}

const recasedSymbols: Recasing = {
  some: recasedSymbol,
  all: (text) => inOneCase(text).map((form) => fc.constant(form)),
};

const recasedAddresses: Recasing = {
  some: recased,
  // Most programs that write addresses in upper case leave the prefix as it is.
  all: (text) => [fc.constantFrom(text.toUpperCase().replace(/^0X/, "0x"), text.toUpperCase())],
};

/** An address in the case and with the whitespace of its classes. */
export function addressVariant(address: string, row: ClassRow, draw: Draw): string {
  return textVariant(address, row, draw, recasedAddresses);
}

/**
 * A text styled as the row says: case, surrounding whitespace, or both. Lower, upper and mixed case take turns. Text without
 * letters keeps its case.
 */
export function textVariant(
  text: string,
  { dressing }: ClassRow,
  draw: Draw,
  recasing: Recasing = recasedSymbols,
): string {
  const variant = dressing as TextVariant;
  const cased = hasCase(text) ? inCase(text, variant, draw, recasing) : text;
  return variant === "with blanks around it" || variant === "both" ? draw("blanks", ...paddedAddresses(cased)) : cased;
}

function inCase(text: string, variant: TextVariant, draw: Draw, { some, all }: Recasing): string {
  if (variant === "in another case") return draw("dressing", some(text));
  if (variant === "in the opposite case") return draw("dressing", ...all(text));
  return variant === "both" ? draw("dressing", ...all(text), some(text)) : text;
}

/** Fractions of a second: half a second, or zero written out, with 1, 3, 6 or 9 digits. */
const fractions = fc
  .tuple(fc.constantFrom("5", "5", "5", "0"), fc.constantFrom(1, 3, 6, 9))
  .map(([first, digits]) => first.padEnd(digits, "0"));

/** The fractions of two instants within a second, the earlier one first. */
export const withinSecond = fc
  .tuple(fc.constantFrom("0", "2", "49"), fc.constantFrom("5", "8", "99"), fc.constantFrom(2, 3, 6, 9))
  .map(([first, last, digits]) => [first.padEnd(digits, "0"), last.padEnd(digits, "0")] as const);

/** Ways to write UTC. An offset of zero may have either sign (RFC 3339, section 4.3). */
const inUtc = fc.oneof({ weight: 2, arbitrary: fc.constant("Z") }, fc.constantFrom("+00:00", "-00:00"));

const eastOfIt = fc.constantFrom("+02:00", "+02:00", "+05:45", "+13:00", "+14:00");

const westOfIt = fc.constantFrom("-03:30", "-03:30", "-09:30", "-11:00");

/** Ways to write the offset from UTC, by zone. Real time zones today range from -12:00 to +14:00. */
const offsets: Readonly<Record<Zone, fc.Arbitrary<string>>> = {
  "in UTC": inUtc,
  "east of it": eastOfIt,
  "west of it": westOfIt,
  "with fractions": fc.oneof(inUtc, eastOfIt, westOfIt),
};

/**
 * An instant in RFC 3339, in the notation of the zone. With a fraction it may be half a second later (W8).
 *
 * @param digits the digits of its fraction; the zone decides on them by default
 */
export function writtenInstant(instant: Instant, zone: Zone, draw: Draw, digits?: string): string {
  const offset = draw(`offset ${zone}`, offsets[zone]);
  const drawnDigits = digits ?? (zone === "with fractions" ? draw("fraction", fractions) : undefined);
  const fraction = drawnDigits === undefined ? "" : `.${drawnDigits}`;
  const [, sign = "+", hours = 0, minutes = 0] = /^([+-])(\d\d):(\d\d)$/.exec(offset) ?? [];
  const seconds = Number(`${sign}1`) * (Number(hours) * 3600 + Number(minutes) * 60);
  const local = formatInstant(plusSeconds({ ...instant, fraction: "" }, seconds));
  return local.replace("Z", `${fraction}${offset}`);
}
