import type { JsonObject } from "../connect/json.js";

/** How much is shown of the strings, arrays and objects in a value. */
interface Scale {
  readonly characters: number;
  readonly items: number;
  readonly members: number;
  readonly depth: number;
}

/** From generous to minimal; the last one fits nearly any value on one line. */
const scales: readonly Scale[] = [
  { characters: 600, items: 40, members: 60, depth: 8 },
  { characters: 200, items: 10, members: 60, depth: 8 },
  { characters: 80, items: 4, members: 40, depth: 6 },
  { characters: 60, items: 2, members: 20, depth: 4 },
  { characters: 44, items: 1, members: 10, depth: 3 },
  { characters: 44, items: 1, members: 6, depth: 2 },
  { characters: 24, items: 1, members: 3, depth: 1 },
  { characters: 16, items: 0, members: 1, depth: 1 },
];

/**
 * A value as JSON of about `maxLength` characters at most. Whole items, members or ends of strings are left out, with a
 * count of what is missing, so that the rest stays readable: `{"orders":[{"orderId":"1", … 21 more}, … 49 more]}`.
 */
export function shortJson(value: unknown, maxLength: number): string {
  const whole = jsonOf(value);
  if (whole.length <= maxLength) return whole;
  let text = whole;
  for (const scale of scales) {
    text = scaled(value, scale, scale.depth);
    if (text.length <= maxLength) break;
  }
  return text;
}

function scaled(value: unknown, scale: Scale, depth: number): string {
  if (typeof value === "string") return scaledString(value, scale.characters);
  if (typeof value !== "object" || value === null) return jsonOf(value);
  if (Array.isArray(value)) {
    const shown = depth > 0 ? value.slice(0, scale.items) : [];
    const items = shown.map((item) => scaled(item, scale, depth - 1));
    return `[${listed(items, value.length, "item")}]`;
  }
  const members = Object.entries(value as JsonObject).filter(([, member]) => member !== undefined);
  const shown = depth > 0 ? members.slice(0, scale.members) : [];
  const texts = shown.map(([name, member]) => `${scaledString(name, 80)}:${scaled(member, scale, depth - 1)}`);
  return `{${listed(texts, members.length, "member")}}`;
}

function listed(shown: readonly string[], count: number, noun: string): string {
  const rest = count - shown.length;
  if (rest === 0) return shown.join(",");
  return shown.length === 0 ? `… ${rest} ${noun}${rest === 1 ? "" : "s"}` : `${shown.join(",")}, … ${rest} more`;
}

function scaledString(text: string, characters: number): string {
  if (text.length <= characters) return JSON.stringify(text);
  // Half a surrogate pair would be printed as an escape code.
  const start = text.slice(0, characters).replace(/[\ud800-\udbff]$/, "");
  return `${JSON.stringify(start).slice(0, -1)}…" (${text.length} characters)`;
}

function jsonOf(value: unknown): string {
  return (
    JSON.stringify(value, (_, inner: unknown) => {
      if (typeof inner === "bigint") return inner.toString();
      return typeof inner === "number" && !Number.isFinite(inner) ? "a number that no double holds" : inner;
    }) ?? "nothing"
  );
}
