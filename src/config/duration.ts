const unitsInMs: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000 };

/** The longest duration, in milliseconds: a week. */
const longestMs = 7 * 24 * 3_600_000;

/** What a duration is, for people. */
export const durationHelp = "a duration such as 90s, 10m or 2h, from 1s to 168h";

/** A duration such as `90s`, `10m` or `2h` in milliseconds; undefined when the text is none, or out of bounds. */
export function durationMs(text: string): number | undefined {
  const [, number = "", unit = ""] = /^(\d{1,6}(?:\.\d{1,3})?)(s|m|h)$/.exec(text.trim()) ?? [];
  const ms = Number(number) * (unitsInMs[unit] ?? 0);
  return ms >= 1_000 && ms <= longestMs ? ms : undefined;
}
