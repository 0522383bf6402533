const unitsInMs: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000 };

/** Longest duration, in milliseconds: a week. */
const longestMs = 7 * 24 * 3_600_000;

/** Describes a valid duration, for messages. */
export const durationHelp = "a duration such as 90s, 10m or 2h, from 1s to 168h";

/** Converts a duration such as `90s`, `10m` or `2h` to milliseconds; undefined when it is invalid or out of bounds. */
export function durationMs(text: string): number | undefined {
  const [, number = "", unit = ""] = /^(\d{1,6}(?:\.\d{1,3})?)(s|m|h)$/.exec(text.trim()) ?? [];
  const ms = Number(number) * (unitsInMs[unit] ?? 0);
  return ms >= 1_000 && ms <= longestMs ? ms : undefined;
}
