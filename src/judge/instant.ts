import { memoize } from "../specification/memoize.js";

/**
 * A point in time with every digit that the wire carried (W8). Neither `Date` nor nanoseconds can hold an arbitrary
 * fraction, so the fraction stays text.
 */
export interface Instant {
  /** Seconds since 1970-01-01T00:00:00Z, without leap seconds. For a leap second, those of the second before it. */
  readonly seconds: number;
  /** True within a leap second (`23:59:60`). */
  readonly leap: boolean;
  /** Digits after the decimal point, without trailing zeros. */
  readonly fraction: string;
}

const notation = /^(\d{4})-(\d{2})-(\d{2})([Tt ])(\d{2}):(\d{2}):(\d{2})(?:\.(\d+))?(?:([Zz])|([+-])(\d{2}):(\d{2}))$/;

/**
 * Reads an RFC 3339 date-time: any number of fractional digits, `Z` or a numeric offset (W8). Lower-case `t` and `z` and
 * a space instead of `T` are read as well; {@link hasUsualNotation} tells them apart.
 *
 * @returns `undefined` if the text is not an RFC 3339 date-time, or names a day, an hour or an offset that does not exist
 */
export function parseInstant(text: string): Instant | undefined {
  if (known.has(text)) return known.get(text);
  const instant = read(text);
  if (known.size >= mostKnown) known.clear();
  known.set(text, instant);
  return instant;
}

/** Caches parsed texts, since the same rows, and so the same timestamps, are read many times. */
const known = new Map<string, Instant | undefined>();
const mostKnown = 20_000;

function read(text: string): Instant | undefined {
  const match = notation.exec(text);
  if (!match) return undefined;
  const year = Number(match[1]);
  const month = Number(match[2]);
  const day = Number(match[3]);
  const hour = Number(match[5]);
  const minute = Number(match[6]);
  const second = Number(match[7]);
  const offsetHours = Number(match[11] ?? 0);
  const offsetMinutes = Number(match[12] ?? 0);
  if (month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) return undefined;
  if (hour > 23 || minute > 59 || second > 60 || offsetHours > 23 || offsetMinutes > 59) return undefined;
  const offset = (offsetHours * 3600 + offsetMinutes * 60) * (match[10] === "-" ? -1 : 1);
  const leap = second === 60;
  const seconds = daysFromEpoch(year, month, day) * 86_400 + hour * 3600 + minute * 60 + (leap ? 59 : second) - offset;
  if (leap && !endsUtcDay(seconds)) return undefined;
  return { seconds, leap, fraction: withoutTrailingZeros(match[8] ?? "") };
}

/** Whether a date-time is written with a capital `T` and, for UTC, a capital `Z`: the advisory half of W8. */
export function hasUsualNotation(text: string): boolean {
  return text[10] === "T" && !text.endsWith("z");
}

/** Negative when `a` is earlier than `b`, positive when it is later, 0 when they are the same instant. */
export function compareInstants(a: Instant, b: Instant): number {
  if (a.seconds !== b.seconds) return a.seconds - b.seconds;
  if (a.leap !== b.leap) return a.leap ? 1 : -1;
  // Digit strings without trailing zeros compare as the fractions do.
  return a.fraction === b.fraction ? 0 : a.fraction < b.fraction ? -1 : 1;
}

/** The same instant, moved by a whole number of seconds. */
export function plusSeconds(instant: Instant, seconds: number): Instant {
  return { ...instant, seconds: instant.seconds + Math.round(seconds) };
}

/** An instant from milliseconds since 1970-01-01T00:00:00Z; parts of a millisecond are dropped. */
export function instantFromMillis(milliseconds: number): Instant {
  const whole = Math.floor(milliseconds);
  const seconds = Math.floor(whole / 1000);
  const fraction = String(whole - seconds * 1000).padStart(3, "0");
  return { seconds, leap: false, fraction: withoutTrailingZeros(fraction) };
}

/** Milliseconds since 1970-01-01T00:00:00Z; digits below the millisecond are dropped. */
export function millisOf(instant: Instant): number {
  return (instant.seconds + (instant.leap ? 1 : 0)) * 1000 + Number(instant.fraction.slice(0, 3).padEnd(3, "0"));
}

/** The canonical text of an instant: UTC, `T` and `Z`, shortest fraction. Two are equal exactly when their texts are. */
export const formatInstant = memoize((instant: Instant): string => {
  const days = Math.floor(instant.seconds / 86_400);
  const rest = instant.seconds - days * 86_400;
  const date = new Date(days * 86_400_000).toISOString().slice(0, -14);
  const [hours, minutes, seconds] = [Math.floor(rest / 3600), Math.floor(rest / 60) % 60, rest % 60];
  const time = [hours, minutes, instant.leap ? 60 : seconds].map((part) => String(part).padStart(2, "0")).join(":");
  return `${date}T${time}${instant.fraction === "" ? "" : `.${instant.fraction}`}Z`;
});

/** The number of fractional digits in a date-time: 3 for `2026-01-02T03:04:05.120Z`. */
export function digitsShown(text: string): number {
  return /\.(\d+)/.exec(text)?.[1]?.length ?? 0;
}

/** The most fractional digits that any of these timestamps shows. */
export function mostDigitsShown(times: readonly { readonly text: string }[]): number {
  return times.reduce((most, { text }) => Math.max(most, digitsShown(text)), 0);
}

/** An instant, and how many fractional digits its answer shows in timestamps. */
export interface ShownInstant {
  readonly instant: Instant;
  readonly digits: number;
}

/**
 * Whether two instants may be the same. They are compared at the coarser of the two precisions: each may have been
 * rounded or truncated to the digits shown (R16).
 */
export function sameInstant(a: ShownInstant, b: ShownInstant): boolean {
  const [finer, coarser] = a.digits < b.digits ? [b, a] : [a, b];
  const [cut, rounded] = unitsOf(finer.instant, coarser.digits);
  const [shown] = unitsOf(coarser.instant, coarser.digits);
  // .040 may be .0396 rounded up, which is .03 when truncated.
  const isRoundedUp = finer.digits > coarser.digits && finer.instant.fraction.length <= coarser.digits;
  return shown === cut || shown === rounded || (isRoundedUp && shown === cut - 1n);
}

/** Fractional digits of a nanosecond: servers keep no finer instants, so one that shows as many has rounded none off. */
const finestDigits = 9;

/**
 * Whether `a` is certainly before `b`: they are more than one unit of the last digit apart, so rounding or truncating both
 * to `digits` fractional digits cannot have changed their order.
 */
export function surelyBefore(a: Instant, b: Instant, digits: number): boolean {
  const apart = unitsOf(b, digits)[0] - unitsOf(a, digits)[1];
  return apart > (digits < finestDigits ? 1n : 0n);
}

/** The instant in units of the last of `digits` fractional digits since 1970: truncated, and rounded. */
function unitsOf({ seconds, leap, fraction }: Instant, digits: number): readonly [bigint, bigint] {
  const truncated = BigInt(fraction.slice(0, digits).padEnd(digits, "0") || 0);
  const cut = BigInt(seconds + (leap ? 1 : 0)) * 10n ** BigInt(digits) + truncated;
  return [cut, (fraction[digits] ?? "0") >= "5" ? cut + 1n : cut];
}

function withoutTrailingZeros(digits: string): string {
  let end = digits.length;
  while (end > 0 && digits[end - 1] === "0") end--;
  return digits.slice(0, end);
}

const monthLengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

function daysInMonth(year: number, month: number): number {
  const leapYear = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return month === 2 && leapYear ? 29 : (monthLengths[month - 1] ?? 0);
}

/** `Date.UTC` takes the years 0 to 99 for 1900 to 1999; shifting by a whole 400-year cycle avoids that. */
function daysFromEpoch(year: number, month: number, day: number): number {
  return Date.UTC(year + 400, month - 1, day) / 86_400_000 - 146_097;
}

/** A leap second exists only after 23:59:59 UTC (RFC 3339 §5.7). */
function endsUtcDay(seconds: number): boolean {
  return (seconds + 1) % 86_400 === 0;
}
