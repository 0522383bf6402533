import type { Json, JsonObject } from "../connect/json.js";
import { show } from "../judge/judgement.js";

/** Length limit of an excerpt, in characters. */
const excerptLength = 240;

/** The value at a path such as `pagination.limit` or `positions[3].owner`; undefined if the path does not exist. */
export function valueAt(body: JsonObject, path: string): Json | undefined {
  let value: Json | undefined = body;
  for (const step of stepsOf(path)) {
    if (typeof value !== "object" || value === null) return undefined;
    value = (value as Record<string, Json | undefined>)[step];
  }
  return value;
}

/** Converts a path such as `positions[17].owner` to a JSON pointer (RFC 6901): `/positions/17/owner`. */
export function pointerOf(path: string): string {
  return stepsOf(path)
    .map((step) => `/${step.replaceAll("~", "~0").replaceAll("/", "~1")}`)
    .join("");
}

/**
 * A short excerpt of a body around a path: the object that contains the member, with that member first and those next that
 * a text names. Empty if the body has nothing there.
 */
export function excerptAround(body: unknown, path: string, text = ""): string {
  const steps = stepsOf(path);
  const last = steps.pop();
  if (typeof body !== "object" || body === null) return "";
  const holder = steps.length === 0 ? (body as Json) : valueAt(body as JsonObject, steps.join("."));
  if (typeof holder !== "object" || holder === null) return "";
  if (last === undefined || Array.isArray(holder)) return show(holder, excerptLength);
  const { [last]: member, ...others } = holder as JsonObject;
  const words = new Set(text.split(/\W+/));
  const namedMembers = Object.fromEntries(Object.entries(others).filter(([name]) => words.has(name)));
  return show({ ...(member !== undefined && { [last]: member }), ...namedMembers, ...others }, excerptLength);
}

function stepsOf(path: string): string[] {
  return path.split(/\.|\[|\]\.?/).filter((part) => part !== "");
}
