import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { basename, join, relative } from "node:path";
import { type Zippable, zip } from "fflate";
import type { Exchange } from "../connect/exchange.js";
import { toCurl } from "../evidence/curl.js";
import { createRecorder, readWorker, recordedWorkers } from "../evidence/record.js";
import { sealRecord } from "../evidence/seal.js";
import type { CheckEntry, Results, RuleEntry } from "../report/results.js";
import { runFiles, writeReports } from "../report/write.js";
import { readSession, writeSession } from "../run/session-file.js";
import { isRuleId, ruleById } from "../spec/catalogue/index.js";
import { alternativesOf, openRulingIds, parseReadings, type Readings } from "../spec/readings.js";
import type { Verdict } from "../verdict/result.js";
import { disputePage, type Shown } from "./page.js";

/** Where a bundle was written. */
export interface Bundle {
  readonly folder: string;
  readonly page: string;
  readonly zip: string;
  readonly exchanges: number;
}

/**
 * Writes the bundle of one rule: the page, every exchange that its verdict rests on, a script that sends the requests
 * again, and the part of the evidence from which `rejudge` gives the same verdict.
 *
 * @param from folder of the run
 * @param judge gives the results of a folder of evidence, as `rejudge` does
 * @throws when the evidence lacks an exchange that the results name
 */
export async function writeBundle(
  from: string,
  results: Results,
  entry: RuleEntry,
  to: string,
  judge: (evidence: string, before: Results, readings?: Readings) => Promise<Results>,
): Promise<Bundle> {
  await rm(to, { recursive: true, force: true });
  const evidence = join(to, runFiles.evidence);
  await mkdir(evidence, { recursive: true });
  await mkdir(join(to, "exchanges"));

  const readers = readersOf(results, entry);
  const wanted = new Set(readers.flatMap(({ exchanges }) => exchanges));
  const kept = await copyEvidence(join(from, runFiles.evidence), evidence, wanted);
  await narrowSession(join(from, runFiles.evidence), evidence, results, readers);
  const digest = await sealRecord(evidence);

  const shown = await writeExchanges(
    to,
    kept.filter(({ id }) => shows(entry, id)),
  );
  await writeFile(join(to, "requests.sh"), script(shown), { mode: 0o755 });
  const sealed = { ...results, evidence: { digest } };
  await writeReports(to, await judge(evidence, sealed));
  const otherwise = await verdictsOtherwise(entry, sealed, (readings) => judge(evidence, sealed, readings));
  const page = join(to, "README.md");
  await writeFile(page, disputePage(results, entry, shown, otherwise));
  return { folder: to, page, zip: await zipFolder(to), exchanges: shown.length };
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

async function copyEvidence(from: string, to: string, wanted: ReadonlySet<string>): Promise<Exchange[]> {
  const kept: Exchange[] = [];
  for (const worker of await recordedWorkers(from)) {
    const recorder = createRecorder(to, worker, { headers: [] });
    for await (const exchange of readWorker(from, worker)) {
      if (!wanted.has(exchange.id)) continue;
      recorder.record(exchange);
      kept.push(exchange);
    }
    await recorder.close();
  }
  const missing = [...wanted].find((id) => !kept.some((exchange) => exchange.id === id));
  if (missing !== undefined) throw new Error(`the evidence lacks the exchange ${missing}`);
  return kept;
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

async function writeExchanges(to: string, exchanges: readonly Exchange[]): Promise<Shown[]> {
  const shown: Shown[] = [];
  for (const [index, exchange] of exchanges.entries()) {
    const file = `exchanges/${String(index + 1).padStart(3, "0")}.json`;
    await writeFile(join(to, file), `${JSON.stringify(exchange, undefined, 2)}\n`);
    shown.push({ exchange, file, curl: toCurl(exchange.request) });
  }
  return shown;
}

function script(shown: readonly Shown[]): string {
  const requests = shown.map(({ exchange, curl }) => `echo '== ${exchange.id.replaceAll("'", "")}'\n${curl}\necho\n`);
  return `#!/bin/sh\n# Sends the requests of this dispute again. CONFORMANCE_TOKEN holds the token, if one is needed.\n\n${requests.join("\n")}`;
}

async function zipFolder(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files: Zippable = {};
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    files[`${basename(folder)}/${relative(folder, path)}`] = new Uint8Array(await readFile(path));
  }
  const packed = await new Promise<Uint8Array>((resolve, reject) => {
    zip(files, (error, data) => (error ? reject(error) : resolve(data)));
  });
  const path = `${folder}.zip`;
  await writeFile(path, packed);
  return path;
}
