import { closest, distance } from "fastest-levenshtein";
import { type CatalogueRule, catalogue, type RuleId } from "./catalogue/index.js";
import { type AnyRuleId, anyRuleById } from "./own-rules.js";
import type { Level } from "./rule.js";
import { type Alternative, type Ruling, type RulingId, rulingIds, rulings } from "./rulings.js";

/**
 * The rulings that leave a choice: a conformant server can have read the text in more than one way, and which way affects
 * verdicts. W1 is not one of them, although it has alternatives: absent fields are judged as their defaults either way.
 */
export type OpenRulingId = Exclude<
  {
    [Id in RulingId]: (typeof rulings)[Id] extends { readonly alternatives: readonly unknown[] } ? Id : never;
  }[RulingId],
  typeof rulingWithoutEffect
>;

const rulingWithoutEffect = "W1";

/** The id of an alternative reading of a ruling. */
export type AlternativeId<Id extends OpenRulingId> = (typeof rulings)[Id]["alternatives"][number]["id"];

/**
 * The chosen alternatives that verdicts are given under. Without a choice, a ruling accepts each of its alternatives. Plain
 * data, since it is passed to worker threads and stored in files.
 */
export type Readings = { readonly [Id in OpenRulingId]?: AlternativeId<Id> };

/** Written in place of an alternative to undo a choice. */
const standardReading = "standard";

/** The rulings that leave a choice, in order. */
export const openRulingIds = rulingIds.filter(
  (id): id is OpenRulingId => id !== rulingWithoutEffect && alternativesOf(id).length > 0,
);

/** The alternative readings of a ruling; empty when it leaves no choice. */
export function alternativesOf(id: RulingId): readonly Alternative[] {
  return (rulings[id] as Ruling).alternatives ?? [];
}

/** The chosen alternative of a ruling, if any. */
export function chosenOf(id: RulingId, readings: Readings): Alternative | undefined {
  const chosen = readings[id as OpenRulingId];
  return alternativesOf(id).find((alternative) => alternative.id === chosen);
}

/** Whether a value is a valid choice of readings in this version. */
export function isReadings(value: unknown): value is Readings {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  return Object.entries(value).every(([id, chosen]) => {
    const open = openRulingIds.find((known) => known === id);
    return open !== undefined && alternativesOf(open).some((alternative) => alternative.id === chosen);
  });
}

/**
 * Parses choices such as `B4=best-first`. Later ones replace earlier ones, and `B4=standard` undoes a choice.
 *
 * @param lines choices as written by the user
 * @param before choices to start from
 * @throws RangeError for an invalid choice; the message lists the valid ones
 */
export function parseReadings(lines: readonly string[], before: Readings = {}): Readings {
  const chosen: Record<string, string> = { ...before };
  for (const line of lines) {
    const [ruling = "", alternative = ""] = line.split("=").map((part) => part.trim());
    const id = openRulingIds.find((open) => open === ruling.toUpperCase());
    if (!id) throw new RangeError(notOpen(ruling));
    const known = alternativesOf(id).map((other) => other.id);
    if (alternative === standardReading) delete chosen[id];
    else if (known.includes(alternative)) chosen[id] = alternative;
    else if (alternative === "") throw new RangeError(`${id} lacks its alternative; ${choicesOf(id)}`);
    else
      throw new RangeError(
        `${id} has no reading "${alternative}"; ${choicesOf(id)}${alternativeSuggestion(id, alternative, known)}`,
      );
  }
  return Object.fromEntries(Object.entries(chosen).sort(([a], [b]) => rankOf(a) - rankOf(b)));
}

function rankOf(id: string): number {
  return (rulingIds as readonly string[]).indexOf(id);
}

function notOpen(ruling: string): string {
  const id = ruling.toUpperCase();
  const isKnown = rulingIds.some((known) => known === id);
  const near = closest(id, openRulingIds) as OpenRulingId;
  const suggestion = distance(near, id) === 1 ? ` (did you mean ${near}?)` : "";
  const reason = isKnown
    ? `ruling ${id} leaves no choice that changes a verdict`
    : `there is no ruling "${ruling}"${suggestion}`;
  return `--reading is written RULING=ALTERNATIVE; ${reason}. Rulings with a choice: ${openRulingIds.join(", ")}. For one, ${choicesOf(near)}.`;
}

/** A suggestion for a mistyped alternative; empty when none is close. */
function alternativeSuggestion(id: OpenRulingId, alternative: string, known: readonly string[]): string {
  const near = closest(alternative, known);
  return distance(near, alternative) <= near.length / 2 ? ` (did you mean ${id}=${near}?)` : "";
}

function choicesOf(id: OpenRulingId): string {
  const known = [...alternativesOf(id).map((other) => other.id), standardReading];
  return `${id} can be ${known.slice(0, -1).join(", ")} or ${known.at(-1)}`;
}

/** The choices as written on the command line: `B4=best-first`. */
export function readingLines(readings: Readings): readonly string[] {
  return Object.entries(readings).map(([id, alternative]) => `${id}=${alternative}`);
}

type LevelsByRule = { readonly [Id in RuleId]?: Level };

/**
 * Rules whose level changes under a chosen alternative. They become mandatory when the alternative settles that the text
 * states them, or observations when it settles that the text leaves them open.
 */
const levels: { readonly [Id in OpenRulingId]?: { readonly [Alt in AlternativeId<Id>]?: LevelsByRule } } = {
  S4: {
    "not-found": { "selector.unknown-id-code": "mandatory" },
    "empty-success": { "selector.unknown-id-code": "mandatory" },
  },
  P4: {
    "stable-ties": { "pagination.tie-order": "mandatory" },
    "any-order": { "pagination.tie-order": "observation" },
  },
  P7: {
    omitted: { "get-all-orders.address-blank": "mandatory" },
    refused: { "get-all-orders.address-blank": "mandatory" },
  },
  R12: {
    refused: { "errors.malformed-address": "mandatory", "errors.missing-address": "mandatory" },
    "empty-success": { "errors.malformed-address": "mandatory", "errors.missing-address": "mandatory" },
  },
  B2: {
    "per-book": { "order-book.limit-per-book": "mandatory" },
    "per-side": { "order-book.limit-per-book": "observation" },
  },
  B8: {
    multiples: { "order-book.bucket-alignment": "mandatory" },
    middles: { "order-book.bucket-alignment": "observation" },
  },
};

/** The level of a rule under the chosen readings. */
export function levelUnder(readings: Readings, rule: AnyRuleId): Level {
  for (const [id, alternative] of Object.entries(readings)) {
    const level = (levels[id as OpenRulingId] as Record<string, LevelsByRule> | undefined)?.[alternative]?.[
      rule as RuleId
    ];
    if (level) return level;
  }
  return anyRuleById(rule).level;
}

/** The catalogue with the levels under the chosen readings. */
export function catalogueUnder(readings: Readings): readonly CatalogueRule[] {
  return catalogue.map((rule) => ({ ...rule, level: levelUnder(readings, rule.id) }));
}

/** The rulings, each with the reading in effect under the chosen readings. */
export function rulingsUnder(readings: Readings): Readonly<Record<RulingId, Ruling>> {
  const chosen = rulingIds.map((id): [RulingId, Ruling] => {
    const alternative = chosenOf(id, readings);
    return [
      id,
      alternative ? { ...rulings[id], reading: `${alternative.reading} (Chosen: ${alternative.id}.)` } : rulings[id],
    ];
  });
  return Object.fromEntries(chosen) as Record<RulingId, Ruling>;
}
