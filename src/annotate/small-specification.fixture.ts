import type { RuleId } from "../specification/catalogue/index.js";
import type { Quote } from "../specification/quotes.js";
import type { Section } from "../specification/sections.js";
import { readDocument } from "./document.js";
import { buildStatementIndex } from "./statement-index.js";

/** A specification of a few sentences, for a service that lends bicycles. */
export const smallSpecification = `# Bicycles to Borrow: Read API

Everything about bicycles, and nothing about cars.

## 1. What the service does

- The service lists bicycles. Every reader sees the same list.
- Names of stations are written in lower case, e.g. \`main street\`. Cars: not shown.

## 2. Resources

### Position

| Field | Type | Rule |
|---|---|---|
| bicycle | string | Number on the frame. |
| gears | integer | Always at least 1. Zero means unknown. |
| price | number | Price of an hour. Whole cents. |

## 4. Endpoints

### 4.1 GetAllPositions

Path: \`/bicycles/GetAll\`

Request:

| Field | Type | Rule |
|---|---|---|
| limit | integer | Page size. Default 20 when omitted or zero. Values above 300 are capped to 300, not rejected. |
| offset | integer | Bicycles to skip. |

Response: \`bicycles\`, ordered by price ascending, and \`total\`.

### 4.2 GetOpenPositionsStreaming

One message is sent at once, then one per minute.
`;

const quoted: readonly (readonly [section: Section, text: string, ...rules: RuleId[]])[] = [
  ["§1", "Everything about bicycles"],
  ["§1", "The service lists bicycles", "wire.json-object"],
  ["§1", "Every reader sees the same list", "get-all-positions.all-wallets"],
  ["§1", "Names of stations are written in lower case", "wire.owner-lowercase"],
  ["§1", "Cars: not shown"],
  ["§2 Position", "bicycle | string", "wire.string-type"],
  ["§2 Position", "Number on the frame", "position.on-chain-ids"],
  ["§2 Position", "gears | integer", "wire.integer-type"],
  ["§2 Position", "Always at least 1", "position.leverage-at-opening"],
  ["§2 Position", "Zero means unknown", "wire.defaults-emitted"],
  ["§2 Position", "price | number", "wire.number-type"],
  ["§2 Position", "Price of an hour", "position.units"],
  ["§4.1", "/bicycles/GetAll", "protocol.post-path"],
  ["§4.1", "limit | integer", "wire.integer-type"],
  ["§4.1", "Default 20 when omitted", "get-all-positions.limit-default"],
  ["§4.1", "Default 20 when omitted or zero", "get-all-positions.limit-zero"],
  ["§4.1", "Values above 300 are capped to 300, not rejected", "get-all-positions.limit-cap"],
  ["§4.1", "Bicycles to skip", "pagination.offset"],
  ["§4.1", "ordered by price ascending", "get-all-positions.sorted-by-timestamp"],
  ["§4.2", "One message is sent at once", "get-open-positions-streaming.first-message"],
  ["§4.2", "then one per minute", "get-open-positions-streaming.interval"],
];

/** The quotes of it. Words that no rule quotes are excluded, with a reason. */
export const smallQuotes: readonly Quote[] = quoted.map(([section, text, ...rules]) => ({
  section,
  text,
  rules,
  ...(rules.length === 0 && { exclusion: { section, quotes: [text], reason: "It is about the document alone." } }),
}));

/** The quote of these words in a section of it. */
export function smallQuoteOf(section: string, text: string): Quote | undefined {
  return smallQuotes.find((quote) => quote.section === section && quote.text === text);
}

/** Its statements, as they are listed for the catalogue. */
export const smallStatements = buildStatementIndex(readDocument(smallSpecification), smallQuotes, "1.0.0").index
  .statements;
