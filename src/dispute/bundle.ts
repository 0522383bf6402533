import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { basename, join } from "node:path";
import type { Exchange } from "../connect/exchange.js";
import type { Verdict } from "../engine/result.js";
import { pointerOf } from "../engine/value-at.js";
import { quote, toCurl } from "../evidence/curl.js";
import { RecordRefused } from "../evidence/folder.js";
import { packRecord } from "../evidence/pack.js";
import { openRecord } from "../evidence/read-record.js";
import { createRecorder } from "../evidence/record.js";
import { sealRecord } from "../evidence/seal.js";
import { type FolderPlan, markerFile, openOutputFolder } from "../files/output-folder.js";
import { WriteRefused, writeWhole } from "../files/write.js";
import { type CheckEntry, exchangesOf, type Results, type RuleEntry, violationsOf } from "../report/results.js";
import { runFiles, writeReports } from "../report/write.js";
import type { Judge } from "../session/recheck.js";
import { readSession, writeSession } from "../session/session-file.js";
import { isRuleId, ruleById } from "../specification/catalogue/index.js";
import { getOrInsert } from "../specification/get-or-insert.js";
import { alternativesOf, openRulingIds, parseReadings, type Readings } from "../specification/readings.js";
import { answerHtml, outcomeInWords, requestHtml, type ShownExchange } from "./exchange-html.js";
import { prettyPrinted } from "./marked-json.js";
import { disputePage, smallestViolation } from "./page.js";
import { zipped } from "./zip.js";

/** Where a bundle was written. */
export interface Bundle {
  readonly folder: string;
  readonly page: string;
  readonly zip: string;
  readonly exchanges: number;
}

const pageName = "index.html";

const bundleNames = [
  pageName,
  runFiles.results,
  runFiles.junit,
  runFiles.summary,
  runFiles.evidence,
  "exchanges",
  "requests.sh",
] as const;

/**
 * Writes the bundle of one rule: the page, every exchange that its verdict rests on, a script that sends the requests again,
 * and the part of the evidence from which `rejudge` gives the same verdict. An existing bundle is replaced once the new one
 * is complete.
 *
 * @param from folder of the run
 * @throws WriteRefused if the folder holds anything else; Error if the evidence lacks an exchange that the results name
 */
export async function writeBundle(
  from: string,
  results: Results,
  entry: RuleEntry,
  to: string,
  judge: Judge,
): Promise<Bundle> {
  const folder = await openOutputFolder(to, planOf(from));
  try {
    const { path, work } = folder;
    const archive = `${path}.zip`;
    if (existsSync(archive) && !existsSync(join(path, markerFile)))
      throw new WriteRefused(`${archive} already exists: move it away, or choose another folder with --out`);
    const evidence = join(work, runFiles.evidence);
    await mkdir(evidence);
    await mkdir(join(work, "exchanges"));

    const readers = relatedChecks(results, entry);
    const wanted = new Set(readers.flatMap(({ exchanges }) => exchanges));
    const ofRule = exchangesOfRule(entry);
    const numbers = new Map(openingExchanges(entry).map((id, index) => [id, index + 1]));
    const shown = new Map<number, ShownExchange>();
    await copyEvidence(join(from, runFiles.evidence), evidence, wanted, async (exchange) => {
      if (!ofRule.has(exchange.id)) return;
      const number = getOrInsert(numbers, exchange.id, () => numbers.size + 1);
      shown.set(number, await writeExchange(work, exchange, number, entry, results.target.baseUrl));
    });
    const ordered = [...shown].sort(([a], [b]) => a - b).map(([, exchange]) => exchange);
    await narrowSession(join(from, runFiles.evidence), evidence, results, readers);
    await packRecord(evidence);
    const digest = await sealRecord(evidence);
    await writeWhole(join(work, "requests.sh"), script(ordered, results.target.baseUrl), 0o755);
    const sealed = { ...results, evidence: { digest } };
    await writeReports(work, await judge(evidence, sealed));
    const byReading = await verdictsByReading(entry, sealed, (readings) => judge(evidence, sealed, readings));
    await writeWhole(join(work, pageName), disputePage(results, entry, ordered, byReading));
    await folder.commit();
    await writeWhole(archive, zipped(path, bundleNames, basename(path)));
    return { folder: path, page: join(path, pageName), zip: archive, exchanges: ordered.length };
  } finally {
    await folder.close();
  }
}

function planOf(from: string): FolderPlan {
  return { kind: "bundle", names: bundleNames, protects: Object.values(runFiles).map((name) => join(from, name)) };
}

/** The verdict on the same evidence under each alternative reading of the rule, by the choice: `B4=best-first`. */
async function verdictsByReading(
  { id }: RuleEntry,
  { readings = {} }: Results,
  judge: (readings: Readings) => Promise<Results>,
): Promise<ReadonlyMap<string, Verdict>> {
  const verdicts = new Map<string, Verdict>();
  const cited = (isRuleId(id) && ruleById(id).rulings) || [];
  for (const ruling of openRulingIds.filter((open) => cited.includes(open))) {
    for (const alternative of alternativesOf(ruling)) {
      const choice = `${ruling}=${alternative.id}`;
      const { rules } = await judge(parseReadings([choice], readings));
      const verdict = rules.find((rule) => rule.id === id)?.verdict;
      if (verdict) verdicts.set(choice, verdict);
    }
  }
  return verdicts;
}

/** The checks whose exchanges the verdict rests on: the rule's own, and those that read an answer showing a violation. */
function relatedChecks(results: Results, entry: RuleEntry): CheckEntry[] {
  const shown = new Set(violationsOf(entry).flatMap(exchangesOf));
  const all = results.rules.flatMap(({ checks }) => checks);
  return all.filter((check) => entry.checks.includes(check) || check.exchanges.some((id) => shown.has(id)));
}

/** The exchanges of a rule: those that its checks read, and those that show its violations. */
function exchangesOfRule(rule: RuleEntry): ReadonlySet<string> {
  return new Set([...rule.checks.flatMap(({ exchanges }) => exchanges), ...violationsOf(rule).flatMap(exchangesOf)]);
}

/** The exchanges that a dispute opens with: the one that shows the smallest violation, and the one it was compared to. */
function openingExchanges(entry: RuleEntry): string[] {
  const violation = smallestViolation(entry);
  return violation ? [...new Set(exchangesOf(violation))] : [];
}

/** Copies the wanted exchanges, one at a time because some are large. */
async function copyEvidence(
  from: string,
  to: string,
  wanted: ReadonlySet<string>,
  kept: (exchange: Exchange) => Promise<void>,
): Promise<void> {
  const record = openRecord(from);
  const missing = new Set(wanted);
  for (const worker of record.workers) {
    const recorder = createRecorder(to, worker, { headers: [] });
    for (const { exchange } of record.linesOf(worker)) {
      if (!wanted.has(exchange.id)) continue;
      const whole = record.restore(exchange);
      recorder.record(whole);
      await recorder.flush();
      await kept(whole);
      missing.delete(exchange.id);
    }
  }
  const [first] = missing;
  if (first !== undefined) throw new RecordRefused(`the evidence lacks the exchange ${first}, which the results name`);
}

async function narrowSession(
  from: string,
  to: string,
  results: Results,
  readers: readonly CheckEntry[],
): Promise<void> {
  const { session } = await readSession(from);
  const rules = results.rules.filter(({ checks }) => checks.some((check) => readers.includes(check)));
  await writeSession(to, { ...session, selection: { rules: rules.map(({ id }) => id), suites: [] } });
}

async function writeExchange(
  to: string,
  exchange: Exchange,
  number: number,
  entry: RuleEntry,
  baseUrl: string,
): Promise<ShownExchange> {
  const stem = `exchanges/${String(number).padStart(3, "0")}`;
  const file = `${stem}.json`;
  await writeWhole(join(to, file), `${JSON.stringify(exchange, undefined, 2)}\n`);
  const bodies = [
    ["request", exchange.request.body],
    ["answer", exchange.response?.body ?? ""],
  ] as const;
  const prettyFiles: (readonly [string, string])[] = [];
  for (const [what, body] of bodies) {
    const text = prettyPrinted(body);
    if (text === undefined) continue;
    const path = `${stem}.${what}.json`;
    await writeWhole(join(to, path), `${text}\n`);
    prettyFiles.push([path, what]);
  }
  const places = violationsOf(entry)
    .flatMap(({ places, comparedWith }) => [...places, ...(comparedWith ? [comparedWith] : [])])
    .filter((place) => place.exchange === exchange.id)
    .map(({ path = "" }) => pointerOf(path));
  return {
    id: exchange.id,
    file,
    prettyFiles,
    curl: withBaseUrlVariable(toCurl(exchange.request), exchange.request, baseUrl),
    outcome: outcomeInWords(exchange),
    request: requestHtml(exchange),
    answer: answerHtml(exchange, places),
  };
}

/** Makes a command send its request to `$BASE_URL` instead of the target. A command for a socket is left as it is. */
function withBaseUrlVariable(curl: string, { method, url }: Exchange["request"], baseUrl: string): string {
  const base = baseUrl.replace(/\/$/, "");
  const option = method === "HEAD" ? "-I" : `-X ${quote(method)}`;
  if (!url.startsWith(`${base}/`)) return curl;
  return curl.replace(`${option} ${quote(url)}`, () => `${option} "$BASE_URL"${quote(url.slice(base.length))}`);
}

function script(shown: readonly ShownExchange[], baseUrl: string): string {
  const requests = shown.map(({ id, curl }) => `echo '== ${id.replaceAll("'", "")}'\n${curl}\necho\n`);
  return [
    "#!/bin/sh",
    "# Sends the requests of this dispute again, the smallest that shows the violation first, to the server at BASE_URL.",
    "# CONFORMANCE_TOKEN holds the token, if one is needed.",
    "",
    `BASE_URL=\${BASE_URL:-${quote(baseUrl)}}`,
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the shell's.
    "BASE_URL=${BASE_URL%/}",
    "",
    ...requests,
  ].join("\n");
}
