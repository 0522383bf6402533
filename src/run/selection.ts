import { correctionOf } from "../config/errors.js";
import { UsageError, unknownName } from "../report/failure.js";
import { unknownOwnRule, unknownRule } from "../report/unknown-rule.js";
import type { Selection } from "../session/session-data.js";
import type { CheckInfo } from "../session/suites.js";
import { isRuleId } from "../specification/catalogue/index.js";
import { isOwnRuleId } from "../specification/own-rules.js";
import { parseReadings, type Readings } from "../specification/readings.js";
import { inShard, type Shard } from "../specification/shard.js";

/**
 * Resolves what the user asked for to rule ids and suite titles. A suite is named by its title (`§4.6 GetOrderBook`), its
 * section (`4.6`) or the rest of the title (`GetOrderBook`), in any case.
 *
 * @param checks all checks, including those of user suites if these are loaded; if not, an unknown user rule only shows at
 *   the end of the run
 * @throws UsageError for an unknown name, with the nearest ones, and for a selection without any check
 */
export function selectionOf(
  asked: {
    readonly rule: readonly string[];
    readonly suite: readonly string[];
    readonly shard?: Shard | undefined;
    /** Files with user suites. */
    readonly suites?: readonly string[] | undefined;
  },
  checks: readonly Pick<CheckInfo, "rule" | "suite">[],
): Selection {
  const ownRules = [...new Set(checks.map(({ rule }) => rule).filter(isOwnRuleId))];
  const rules = asked.rule.map((id) => {
    if (isRuleId(id)) return id;
    if (!isOwnRuleId(id)) throw unknownRule(id);
    if (!asked.suites?.length) throw unknownOwnRule(id, []);
    if (ownRules.length > 0 && !ownRules.includes(id)) throw unknownOwnRule(id, ownRules);
    return id;
  });
  const titles = [...new Set(checks.map(({ suite }) => suite))];
  const suites = asked.suite.map((name) => {
    const title = titleOf(name, titles);
    if (title === undefined) throw unknownSuite(name, titles);
    return title;
  });
  const isAnySelected = checks.some(
    ({ rule, suite }) =>
      (rules.length === 0 || rules.some((id) => id === rule)) && (suites.length === 0 || suites.includes(suite)),
  );
  if (!isAnySelected && checks.length > 0 && !rules.some(isOwnRuleId))
    throw new UsageError("no check belongs to what --rule and --suite select together");
  const { shard } = asked;
  if (shard && rules.length > 0 && !rules.some((id) => inShard(id, shard)))
    throw new UsageError(`none of the rules is in shard ${shard.index} of ${shard.count}`);
  return { rules, suites, ...(shard && { shard }) };
}

/**
 * Parses the readings that the user chose.
 *
 * @param before readings that apply where the user chose none
 * @throws UsageError that lists what can be chosen
 */
export function readingsOf(asked: { readonly reading: readonly string[] }, before: Readings = {}): Readings {
  try {
    return parseReadings(asked.reading, before);
  } catch (error) {
    throw error instanceof RangeError ? new UsageError(error.message) : error;
  }
}

/** The title of the suite with this name; undefined if there is none. */
export function titleOf(name: string, titles: readonly string[]): string | undefined {
  return titles.find((each) => namesOf(each).includes(normalized(name)));
}

/** The error for an unknown suite. Suggests full titles if the name resembles one, else titles without the section. */
function unknownSuite(name: string, titles: readonly string[]): UsageError {
  const words = titles.map((title) => title.replace(/^§\S+ /, ""));
  const resembles = (known: readonly string[]) => correctionOf(name, known) !== undefined;
  return unknownName("suite", name, !resembles(titles) && resembles(words) ? words : titles);
}

function namesOf(title: string): string[] {
  const [section = "", ...words] = title.split(" ");
  return [title, section, words.join(" ")].map(normalized);
}

function normalized(name: string): string {
  return name.trim().replace(/^§\s*/, "").toLowerCase();
}
