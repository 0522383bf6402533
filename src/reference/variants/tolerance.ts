import type { MutableJson } from "../json.js";
import type { Interceptors, Variant } from "../modification.js";

const emptyObject = new TextEncoder().encode("{}");

/** JSON types of request fields. */
const kinds: Readonly<Record<string, "number" | "boolean" | "string">> = {
  limit: "number",
  offset: "number",
  levels: "number",
  tickSize: "number",
  updateIntervalMs: "number",
  onlyOpen: "boolean",
  sizeInUsd: "boolean",
  address: "string",
  owner: "string",
  startTime: "string",
  endTime: "string",
  interval: "string",
  assetSymbol: "string",
  quoteSymbol: "string",
};

/** Whether a value has a type that no reading of the specification accepts for this field. */
function isOfAWrongType(name: string, value: MutableJson | undefined): boolean {
  const kind = kinds[name];
  if (kind === undefined || value === undefined || value === null) return false;
  const isNumeric = typeof value === "string" && value.trim() !== "" && !Number.isNaN(Number(value));
  return (
    typeof value !== kind && !(kind === "number" && isNumeric) && !(kind === "boolean" && typeof value === "string")
  );
}

/** Drops wrongly typed fields from a request. */
const withoutWrongTypes: Interceptors["request"] = (_endpoint, json) => {
  const names = Object.keys(json).filter((name) => isOfAWrongType(name, json[name]));
  return names.length === 0
    ? undefined
    : Object.fromEntries(Object.entries(json).filter(([name]) => !names.includes(name)));
};

/** Conformant ways to handle requests whose outcome the specification does not state (E6). */
export const tolerance: readonly Variant[] = [
  {
    kind: "variant",
    name: "empty-body-is-an-empty-request",
    summary: "A request without any body is taken for an empty one (E6).",
    touches: ["protocol"],
    body: (_endpoint, payload) => (payload.byteLength === 0 ? emptyObject : undefined),
  },
  {
    kind: "variant",
    name: "wrong-types-count-as-omitted",
    summary: "Outside of a market selector a field of a wrong JSON type counts as omitted (E6).",
    warns: ["errors.wrong-type", "errors.malformed-request-code"],
    request: withoutWrongTypes,
  },
  {
    kind: "variant",
    name: "text-after-a-request-ignored",
    summary: "What follows the first JSON value of a body is not read (E6).",
    warns: ["errors.malformed-body"],
    body: (_endpoint, payload) => {
      const text = new TextDecoder().decode(payload);
      const end = text.indexOf("}{");
      return end < 0 ? undefined : new TextEncoder().encode(text.slice(0, end + 1));
    },
  },
];
