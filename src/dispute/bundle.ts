import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { basename, join } from "node:path";
import type { Exchange } from "../connect/exchange.js";
import type { Verdict } from "../engine/result.js";
import { toCurl } from "../evidence/curl.js";
import { RecordRefused } from "../evidence/folder.js";
import { openRecord } from "../evidence/read-record.js";
import { createRecorder } from "../evidence/record.js";
import { sealRecord } from "../evidence/seal.js";
import { type FolderPlan, markerFile, openOutputFolder } from "../files/output-folder.js";
import { WriteRefused, writeWhole } from "../files/write.js";
import type { CheckEntry, Results, RuleEntry } from "../report/results.js";
import { runFiles, writeReports } from "../report/write.js";
import { readSession, writeSession } from "../run/session-file.js";
import { isRuleId, ruleById } from "../specification/catalogue/index.js";
import { alternativesOf, openRulingIds, parseReadings, type Readings } from "../specification/readings.js";
import { disputePage, exchangeSection } from "./page.js";
import { zipped } from "./zip.js";

/** Where a bundle was written. */
export interface Bundle {
  readonly folder: string;
  readonly page: string;
  readonly zip: string;
  readonly exchanges: number;
}

const bundleNames = [
  "README.md",
  runFiles.results,
  runFiles.junit,
  runFiles.summary,
  runFiles.evidence,
  "exchanges",
  "requests.sh",
] as const;

/**
 * Writes the bundle of one rule: the page, every exchange that its verdict rests on, a script that sends the requests
 * again, and the part of the evidence from which `rejudge` gives the same verdict. A bundle that is there already is replaced
 * when the new one is complete.
 *
 * @param from folder of the run
 * @param judge gives the results of a folder of evidence, as `rejudge` does
 * @throws WriteRefused when the folder holds anything else; Error when the evidence lacks an exchange that the results name
 */
export async function writeBundle(
  from: string,
  results: Results,
  entry: RuleEntry,
  to: string,
  judge: (evidence: string, before: Results, readings?: Readings) => Promise<Results>,
): Promise<Bundle> {
  const folder = await openOutputFolder(to, planOf(from));
  try {
    const { path, work } = folder;
    const archive = `${path}.zip`;
    if (existsSync(archive) && !existsSync(join(path, markerFile)))
      throw new WriteRefused(`${archive} is there already: move it away, or choose another folder with --out`);
    const evidence = join(work, runFiles.evidence);
    await mkdir(evidence);
    await mkdir(join(work, "exchanges"));

    const readers = readersOf(results, entry);
    const wanted = new Set(readers.flatMap(({ exchanges }) => exchanges));
    const shown: Shown[] = [];
    await copyEvidence(join(from, runFiles.evidence), evidence, wanted, async (exchange) => {
      if (shows(entry, exchange.id)) shown.push(await writeExchange(work, exchange, shown.length + 1));
    });
    await narrowSession(join(from, runFiles.evidence), evidence, results, readers);
    const digest = await sealRecord(evidence);
    await writeWhole(join(work, "requests.sh"), script(shown), 0o755);
    const sealed = { ...results, evidence: { digest } };
    await writeReports(work, await judge(evidence, sealed));
    const otherwise = await verdictsOtherwise(entry, sealed, (readings) => judge(evidence, sealed, readings));
    const sections = shown.map(({ section }) => section);
    await writeWhole(join(work, "README.md"), disputePage(results, entry, sections, otherwise));
    await folder.commit();
    await writeWhole(archive, zipped(path, bundleNames, basename(path)));
    return { folder: path, page: join(path, "README.md"), zip: archive, exchanges: shown.length };
  } finally {
    await folder.close();
  }
}

function planOf(from: string): FolderPlan {
  return { kind: "bundle", names: bundleNames, protects: Object.values(runFiles).map((name) => join(from, name)) };
}

/** The verdict on the same evidence under each other way to take what the rule rests on, by the choice: `B4=best-first`. */
async function verdictsOtherwise(
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

/** The checks whose exchanges the verdict rests on: the rule's own, and those whose answers show it broken. */
function readersOf(results: Results, entry: RuleEntry): CheckEntry[] {
  const shown = new Set(entry.checks.flatMap((check) => (check.violations ?? []).flatMap(placesOf)));
  const all = results.rules.flatMap(({ checks }) => checks);
  return all.filter((check) => entry.checks.includes(check) || check.exchanges.some((id) => shown.has(id)));
}

function placesOf(violation: NonNullable<CheckEntry["violations"]>[number]): string[] {
  return violation.places.map(({ exchange }) => exchange);
}

function shows({ checks }: RuleEntry, id: string): boolean {
  return checks.some(({ exchanges }) => exchanges.includes(id));
}

/** Copies the wanted exchanges, one at a time: some are large. */
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
    await recorder.close();
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

/** An exchange of the bundle, as page and script show it. */
interface Shown {
  readonly id: string;
  readonly section: string;
  readonly curl: string;
}

async function writeExchange(to: string, exchange: Exchange, number: number): Promise<Shown> {
  const file = `exchanges/${String(number).padStart(3, "0")}.json`;
  await writeWhole(join(to, file), `${JSON.stringify(exchange, undefined, 2)}\n`);
  const curl = toCurl(exchange.request);
  return { id: exchange.id, section: exchangeSection(exchange, file, curl), curl };
}

function script(shown: readonly Shown[]): string {
  const requests = shown.map(({ id, curl }) => `echo '== ${id.replaceAll("'", "")}'\n${curl}\necho\n`);
  return `#!/bin/sh\n# Sends the requests of this dispute again. CONFORMANCE_TOKEN holds the token, if one is needed.\n\n${requests.join("\n")}`;
}
