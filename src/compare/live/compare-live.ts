/** Finds what a client would notice when it moves from one target to the other. */
import type { Target } from "../../connect/target.js";
import { requestInWords } from "../../engine/request-in-words.js";
import { isViolated } from "../../engine/result.js";
import { toCurl } from "../../evidence/curl.js";
import { redactor, redactTexts } from "../../evidence/redact.js";
import type { Strength } from "../../exploration/covering-array.js";
import { countOf } from "../../judge/judgement.js";
import type { Results } from "../../report/results.js";
import { openSession } from "../../session/session.js";
import type { Profile } from "../../specification/profile.js";
import type { Subjects } from "../../subjects/subjects.js";
import type { AnswerComparison, AnswerDifference, Both } from "../answers.js";
import { type TimesRow, timesOf, timesRows } from "../times.js";
import { type PairedAnswer, TwoTargets } from "./ask-both.js";
import { confirmed } from "./confirm.js";
import { type DifferenceGroup, differencesBetween, haveSameData } from "./differences.js";
import { commonSubjects, pairedRequests } from "./requests.js";

/** What to compare. */
export interface LiveTask {
  readonly targets: Both<Target>;
  readonly profile: Profile;
  readonly strength: Strength;
  readonly seed: number;
  /** The results of a run against each target. They tell which differences are violations. */
  readonly results: Both<Results>;
  readonly signal: AbortSignal;
  /** Called at the start of each phase. */
  readonly onPhase?: (phase: string) => void;
}

/**
 * Sends the requests of one exploration to two targets at about the same time, and compares the answers beyond the rules.
 *
 * @throws what `openSession` throws if one of the targets is not there
 */
export async function compareLive(task: LiveTask): Promise<AnswerComparison> {
  const { targets, profile, strength, seed, signal, onPhase = () => {} } = task;
  onPhase("discovering what both know");
  const subjectsOf = async (target: Target) => (await openSession({ target, profile, seed })).subjects;
  const both: Both<Subjects> = [await subjectsOf(targets[0]), await subjectsOf(targets[1])];
  const common = commonSubjects(both);
  const requests = pairedRequests(both, common, strength, seed);
  const asking = new TwoTargets(targets);
  try {
    onPhase(`sending ${requests.length} requests to both`);
    const answers = await asking.askAll(requests, signal);
    const sameData = haveSameData(answers);
    onPhase("looking again at what differs");
    const groups = await confirmed(differencesBetween(answers, sameData), asking, signal);
    const hide = (text: string) => targets.reduce((hidden, { secrets }) => redactor(secrets)(hidden), text);
    return redactTexts(
      {
        requests: answers.length,
        sameRequests: answers.filter(({ same }) => same).length,
        sameData,
        sharedSubjects: sharedInWords(both, common.subjects, sameData),
        differences: groups.map((group) => differenceOf(group, task)),
        times: timesOfBoth(answers),
      },
      hide,
    );
  } finally {
    await asking.close();
  }
}

function differenceOf(group: DifferenceGroup, { targets, results }: LiveTask): AnswerDifference {
  const { kind, each, places, count, example, ruling } = group;
  const violates = kind === "data" || kind === "moving" ? [] : violatedAt(group, results);
  const [first, second] = example.answers;
  return {
    kind,
    each,
    places,
    count,
    example: [requestInWords(first.request), requestInWords(second.request)],
    curl: [toCurl(first.request, targets[0]), toCurl(second.request, targets[1])],
    ...(ruling !== undefined && violates.length === 0 && { ruling }),
    ...(violates.length > 0 && { violates }),
  };
}

/** Rules that one target violates and the other does not, at one of the places of a difference. */
function violatedAt({ places, kind }: DifferenceGroup, results: Both<Results>): readonly string[] {
  const failing = results.map(({ rules }) => rules.filter(({ verdict }) => isViolated(verdict)));
  const ids = failing.flatMap((rules, side) =>
    rules.flatMap(({ id, checks }) => {
      const isElsewhere = failing[1 - side]?.some((rule) => rule.id === id);
      const found = checks.flatMap(({ violations = [] }) => violations);
      const isHere = found.some(({ operation, path }) =>
        places.some((place) => place.operation === operation && isSamePlace(normalized(path), place.place, kind)),
      );
      return isHere && !isElsewhere ? [id] : [];
    }),
  );
  return [...new Set(ids)];
}

function normalized(path: string): string {
  return path.replace(/\[\d+\]/g, "[*]").replace(/^messages\[\*\]\.?/, "");
}

/** Whether a violation is at the place of a difference. Missing rows are at the place of their array. */
function isSamePlace(violated: string, place: string, kind: DifferenceGroup["kind"]): boolean {
  // Faulty and unspecified requests have a place of their own. Rules on outcomes are not violated by these.
  if (kind === "outcome" || kind === "error-code") return place === "" && (violated === "" || violated === "code");
  return violated === place || (kind === "rows" && violated.replace(/\[\*\]$/, "") === place);
}

function sharedInWords([first, second]: Both<Subjects>, common: Subjects, sameData: boolean): string {
  const markets = `${common.markets.length} of ${countOf(Math.max(first.markets.length, second.markets.length), "market")}`;
  const wallets = `${common.wallets.length} of ${countOf(Math.max(first.wallets.length, second.wallets.length), "wallet")}`;
  const what = `both know ${markets} and ${wallets} that were looked at`;
  return sameData
    ? `${what}; they have the same data, and their values were compared`
    : `${what}; their data differ, so values were not compared, only how they are written, ordered and computed`;
}

function timesOfBoth(answers: readonly PairedAnswer[]): readonly TimesRow[] {
  return timesRows(
    ([0, 1] as const).map((side) =>
      timesOf(answers.map(({ endpoint, answers: both }) => ({ endpoint, waitMs: both[side].waitMs }))),
    ),
  );
}
