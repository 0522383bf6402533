/** Faults in how fields are written (§1 Wire conventions): each field of each resource in forms its type does not allow. */
import type { Json } from "../../connect/json.js";
import type { RuleId } from "../../specification/catalogue/index.js";
import type { FaultKind, FaultTemplate, ScopeName } from "../fault.js";
import { withField } from "../fields.js";
import type { Resource } from "../places.js";
import { inEach } from "./define.js";

type ValueType = "id" | "number" | "integer" | "flag" | "text" | "time" | "address" | "list" | "object";

/** Fields by type, as listed in §2. Fields specified only by type appear in no other table. */
const fields: Readonly<Partial<Record<Resource, Partial<Record<ValueType, readonly string[]>>>>> = {
  position: {
    id: ["positionId", "marketId"],
    number: [
      "nominalSize",
      "entryPrice",
      "markPrice",
      "liquidationPrice",
      "allocatedMargin",
      "leverage",
      "unrealizedPnl",
      "revenueSpent",
      "effectiveSize",
      "estimatedRebate",
      "stopLossPrice",
      "takeProfitPrice",
    ],
    integer: ["tickDecimals"],
    flag: ["reduceOnly"],
    text: ["market"],
    time: ["timestamp"],
    address: ["owner"],
    list: ["associatedOrders", "associatedOrderIds"],
  },
  order: {
    id: ["orderId", "marketId"],
    number: [
      "thresholdPrice",
      "size",
      "leverage",
      "filledSize",
      "unfilledSize",
      "initialMargin",
      "fees",
      "rebates",
      "initialNotional",
      "stopLossPrice",
      "takeProfitPrice",
    ],
    integer: ["tickDecimals"],
    flag: ["reduceOnly"],
    text: ["market", "reduceOrderType"],
    time: ["timestamp"],
    address: ["owner"],
  },
  reference: { flag: ["reduceOnly"] },
  pagination: { integer: ["limit", "offset"] },
  portfolio: {
    number: [
      "totalMargin",
      "totalUnrealizedPnl",
      "totalRealizedPnl",
      "totalVolume",
      "totalFees",
      "totalProfit",
      "totalLoss",
      "totalEquity",
      "maxDrawdown",
    ],
    id: ["totalTrades"],
    address: ["owner"],
    list: ["positions", "orders"],
  },
  book: {
    integer: ["pageSize", "offset", "totalOrderCount", "levels"],
    number: ["tickSize"],
    flag: ["sizeInUsd"],
    text: ["marketId"],
    object: ["book"],
  },
  level: { number: ["price", "size", "cumulativeTotal"], integer: ["orderCount"] },
  candle: { number: ["open", "high", "low", "close", "mid", "volume"], time: ["timestamp"] },
  config: {
    id: ["marketId"],
    text: ["marketName"],
    number: [
      "minLeverage",
      "maxLeverage",
      "minTradeSize",
      "maxTradeSize",
      "lotSize",
      "tradeFeePct",
      "longRevenue",
      "shortRevenue",
    ],
    integer: ["tickDecimals", "sizeDecimals"],
    object: ["feeConfig", "adlConfig"],
  },
  feeConfig: { number: ["tradeFeePct", "maxEntitlement", "insuranceFundEntitlementPct", "maxImbalance"] },
  adlConfig: {
    number: ["maintenanceMarginRatio", "seizureThreshold", "adlThreshold", "shockFactor", "maxIfFractionAllowed"],
  },
};

/** A form that a type does not allow; `of` returns undefined for a value without such a form. */
interface Form {
  readonly name: string;
  readonly words: string;
  readonly rule: RuleId;
  readonly kind?: FaultKind;
  readonly of: (value: Json) => Json | undefined;
}

const asText = (rule: RuleId): Form => ({
  name: "as-text",
  words: "is written as text",
  rule,
  of: (value) => String(value),
});

const asNull: Form = { name: "null", words: "is null", rule: "wire.no-null", of: () => null };

const text = (value: Json) => (typeof value === "string" ? value : undefined);

const forms: Readonly<Record<ValueType, readonly Form[]>> = {
  id: [
    {
      name: "as-number",
      words: "is a JSON number",
      rule: "wire.int64-as-string",
      of: (value) => (typeof value === "string" && /^\d+$/.test(value) ? BigInt(value) : undefined),
    },
    {
      name: "zero-padded",
      words: "has a leading zero",
      rule: "wire.int64-decimal",
      of: (value) => (typeof value === "string" ? `0${value}` : undefined),
    },
  ],
  number: [asText("wire.number-type"), asNull],
  integer: [
    asText("wire.integer-type"),
    {
      name: "fractional",
      words: "has a fraction",
      rule: "wire.integer-type",
      of: (value) => (typeof value === "number" ? value + 0.5 : undefined),
    },
  ],
  flag: [asText("wire.boolean-type")],
  text: [{ name: "as-number", words: "is a number", rule: "wire.string-type", of: () => 7 }],
  time: [
    {
      name: "as-seconds",
      words: "is a number of seconds",
      rule: "wire.timestamp-rfc3339",
      of: (value) => Math.floor(Date.parse(String(value)) / 1000),
    },
    {
      name: "without-zone",
      words: "has no time zone",
      rule: "wire.timestamp-rfc3339",
      of: (value) => text(value)?.replace(/(Z|[+-]\d\d:\d\d)$/i, ""),
    },
    {
      name: "in-small-letters",
      words: "is written with a small t and z",
      rule: "wire.timestamp-letters",
      of: (value) => text(value)?.toLowerCase(),
    },
    {
      name: "of-no-day",
      words: "names a day that no month has",
      rule: "wire.timestamp-rfc3339",
      of: (value) => text(value)?.replace(/^(\d{4})-\d\d-\d\d/, "$1-02-30"),
    },
    {
      name: "left-out",
      words: "is left out",
      rule: "wire.timestamp-present",
      kind: "field missing",
      of: () => undefined,
    },
  ],
  address: [
    {
      name: "in-capitals",
      words: "is written in capitals",
      rule: "wire.owner-lowercase",
      of: (value) => text(value)?.replace(/^0x.*/, (address) => `0x${address.slice(2).toUpperCase()}`),
    },
    {
      name: "cut",
      words: "lacks its last digit",
      rule: "wire.owner-evm-address",
      of: (value) => text(value)?.slice(0, -1),
    },
  ],
  list: [
    { name: "as-object", words: "is an object instead of a list", rule: "wire.container-type", of: () => ({}) },
    asNull,
  ],
  object: [
    { name: "as-list", words: "is a list instead of an object", rule: "wire.container-type", of: () => [] },
    {
      name: "left-out",
      words: "is left out",
      rule: "wire.nested-objects-present",
      kind: "field missing",
      of: () => undefined,
    },
  ],
};

/** Scopes for forms that fields of every resource may have. Used only for the first field of each type. */
const scopesOf: Partial<Record<ValueType, readonly ScopeName[]>> = {
  id: ["one market", "one wallet"],
  time: ["one wallet"],
  address: ["later pages", "each operation"],
};

const words: Readonly<Record<Resource, string>> = {
  position: "a position's",
  order: "an order's",
  reference: "a reference's",
  pagination: "a page's",
  portfolio: "a portfolio's",
  book: "a book's",
  level: "a level's",
  candle: "a candle's",
  config: "a market configuration's",
  feeConfig: "a fee configuration's",
  adlConfig: "an ADL configuration's",
  body: "an answer's",
};

/** Additional fields of the specification (W10), with the rule on their types. */
const additional: readonly (readonly [Resource, RuleId, readonly string[]])[] = [
  ["position", "position.additional-field-types", ["cashRoi", "currentPnl", "currentRoi"]],
  ["order", "order.additional-field-types", ["averageFillPrice", "filledQuoteSize", "margin", "triggerPrice"]],
];

/** A fault for each field and each form its type does not allow. */
export const formFaults: readonly FaultTemplate[] = [
  ...Object.entries(fields).flatMap(([resource, types]) =>
    Object.entries(types).flatMap(([type, names]) =>
      names.flatMap((field, index) =>
        forms[type as ValueType].map((form) =>
          inForm(resource as Resource, field, form, index === 0 ? scopesOf[type as ValueType] : []),
        ),
      ),
    ),
  ),
  ...additional.flatMap(([resource, rule, names]) => names.map((field) => inForm(resource, field, asText(rule)))),
  ...["createdAt", "updatedAt"].map((field) =>
    inForm("order", field, {
      name: "without-zone",
      words: "has no time zone",
      rule: "order.additional-field-types",
      of: (value) => text(value)?.replace(/Z$/, ""),
    }),
  ),
];

function inForm(resource: Resource, field: string, form: Form, scopes: readonly ScopeName[] = []): FaultTemplate {
  return inEach(
    resource,
    {
      name: `${resource}-${field}-${form.name}`,
      rule: form.rule,
      kind: form.kind ?? "wrong form",
      words: `${words[resource]} ${field} ${form.words}`,
      scopes,
    },
    (row) => {
      const value = row[field];
      if (value === undefined || value === null) return row;
      const made = form.of(value);
      // A value without such a form stays unchanged; for "field missing", undefined is intended.
      return made === undefined && form.kind !== "field missing" ? row : withField(row, field, made);
    },
  );
}
