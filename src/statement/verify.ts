import type { KeyObject } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { z } from "zod";
import { anyJson, byZod, parseDocument } from "../files/read-json.js";
import { FileRefused } from "../files/refused.js";
import { harness } from "../report/identity.js";
import { readResultsFile } from "../report/read-results.js";
import { runFiles } from "../report/write.js";
import { type Judge, recheck } from "../session/recheck.js";
import {
  frozenRequirements,
  mayBeAbsent,
  type RequirementSet,
  requirementsDigest,
} from "../specification/requirements.js";
import {
  type DsseEnvelope,
  envelopeSchema,
  isSignedBy,
  keyId,
  payloadOf,
  payloadType,
  statementBytes,
} from "./dsse.js";
import { refusalReasons } from "./refusals.js";
import { makeStatement, overallResult, type Statement, statementSchema, subjectOf } from "./statement.js";

/** The result of one check: it holds, it is refused, or there was nothing to check it by. */
export interface VerificationItem {
  readonly kind: "holds" | "refused" | "unchecked";
  readonly text: string;
}

/** The result of verifying a statement. */
export interface StatementVerification {
  readonly items: readonly VerificationItem[];
  /** What it states; absent if the file holds no statement. */
  readonly statement?: Statement;
  /** Whether it was signed with the given key. */
  readonly authentic: boolean;
  /** Whether the evidence next to it bears it out. */
  readonly evident: boolean;
}

/** What a statement is verified with. */
export interface VerifyOptions {
  /** The signer's public key. */
  readonly key?: KeyObject | undefined;
  /** Folder of the run, with results and evidence. What is missing there is not checked. */
  readonly dir: string;
  readonly judge: Judge;
}

/** Verifies a statement, signed or not. Checks what can be checked and reports the rest. Never throws for bad content. */
export async function verifyStatement(
  text: string,
  { key, dir, judge }: VerifyOptions,
): Promise<StatementVerification> {
  const items: VerificationItem[] = [];
  const file = readStatement(text);
  if ("problem" in file) return { items: [refused(file.problem)], authentic: false, evident: false };
  const { envelope, statement } = file;
  items.push(signatureOf(envelope, key));
  const set = frozenRequirements(statement.predicate.perpConformance.requirements.version);
  const faults = contradictionsOf(statement, set);
  items.push(...faults.map(refused));
  if (faults.length === 0)
    items.push(holds("the statement is consistent with itself and with its frozen requirements"));
  // Judging again takes seconds, and is not needed if the statement is refused anyway.
  const isRefused = items.some(({ kind }) => kind === "refused");
  const evidenceItems = set
    ? await evidenceOf(statement, set, dir, isRefused ? undefined : judge).catch((error: Error) => [
        refused(`what lies beside the statement cannot be read: ${error.message}`),
      ])
    : [];
  items.push(...evidenceItems);
  return {
    items,
    statement,
    authentic: key !== undefined && items[0]?.kind === "holds",
    evident: evidenceItems.length > 0 && evidenceItems.every(({ kind }) => kind === "holds"),
  };
}

/** The statement in a file, and its envelope if it has one. */
function readStatement(text: string): { statement: Statement; envelope?: DsseEnvelope } | { problem: string } {
  try {
    const outer = parseDocument(Buffer.from(text), "the file", anyJson(statementBytes));
    if (!isEnvelope(outer)) return { statement: statementIn(outer) };
    const envelope = parsedBy(envelopeSchema, outer, "the file holds no envelope of a statement");
    if (envelope.payloadType !== payloadType)
      return { problem: `the envelope holds ${JSON.stringify(envelope.payloadType)}, not an in-toto statement` };
    const payload = parseDocument(
      Buffer.from(payloadOf(envelope)),
      "the payload of the envelope",
      anyJson(statementBytes),
    );
    return { statement: statementIn(payload), envelope };
  } catch (error) {
    if (error instanceof FileRefused) return { problem: error.message };
    throw error;
  }
}

function isEnvelope(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.hasOwn(value, "payload");
}

function statementIn(value: unknown): Statement {
  return parsedBy(statementSchema, value, "the file holds no conformance statement");
}

function parsedBy<T>(schema: z.ZodType<T>, value: unknown, otherwise: string): T {
  const checked = byZod(schema)(value);
  if ("problem" in checked) throw new FileRefused(`${otherwise}: ${checked.problem}`);
  return checked.value;
}

function signatureOf(envelope: DsseEnvelope | undefined, key: KeyObject | undefined): VerificationItem {
  if (envelope === undefined) {
    return key
      ? refused("the statement is not signed")
      : unchecked("the statement is not signed: anybody can have written it");
  }
  const named = envelope.signatures.map(({ keyid }) => keyid ?? "no key").join(", ");
  if (key === undefined) return unchecked(`the signature (by ${named}): give the signer's public key with --key`);
  if (isSignedBy(envelope, key)) return holds(`signed by the key ${keyId(key)}`);
  return refused(
    named.includes(keyId(key))
      ? `the signature of ${keyId(key)} does not fit: the statement was altered after it was signed, or the signature was`
      : `the statement was not signed by the key ${keyId(key)}: it names ${named}`,
  );
}

/** Where a statement contradicts itself, or the requirements that it was made by. */
function contradictionsOf(statement: Statement, set: RequirementSet | undefined): string[] {
  const { version } = statement.predicate.perpConformance.requirements;
  const unknown = `the requirements ${version} are unknown to version ${harness.version}: a later one may know them`;
  const claims = [...selfConsistencyClaims(statement), ...(set ? requirementClaims(statement, set) : [])];
  return [...claims.filter(([holds]) => !holds).map(([, fault]) => fault), ...(set ? [] : [unknown])];
}

/** Something that must hold, and the message if it does not. */
type Claim = readonly [holds: boolean, fault: string];

function selfConsistencyClaims({ subject, predicate }: Statement): Claim[] {
  const { perpConformance: details, passedTests, warnedTests, failedTests, result } = predicate;
  const { counts, notExercised, strict } = details;
  const tests = [...passedTests, ...warnedTests, ...failedTests, ...notExercised];
  const named = subjectOf(details.implementation);
  return [
    [
      subject[0]?.name === named.name && subject[0].digest.sha256 === named.digest.sha256,
      "the subject is not the implementation that is named, by name and digest",
    ],
    [
      result === overallResult(predicate, strict),
      `the result is not ${result} with ${failedTests.length} failed and ${warnedTests.length} warned rules`,
    ],
    [new Set(tests).size === tests.length, "a rule is listed twice"],
    [
      counts.pass === passedTests.length &&
        counts.warn === warnedTests.length &&
        counts.fail === failedTests.length &&
        counts.notApplicable === notExercised.length,
      "the counts are not those of the lists of rules",
    ],
  ];
}

function requirementClaims({ predicate }: Statement, set: RequirementSet): Claim[] {
  const { notExercised, requirements, specification } = predicate.perpConformance;
  const settled = new Set([...predicate.passedTests, ...predicate.failedTests, ...notExercised]);
  const open = set.mandatory.filter((id) => !settled.has(id));
  const evaded = set.mandatory.filter((id) => notExercised.includes(id) && !mayBeAbsent(id, set));
  const configured = (name: string) => predicate.configuration.find((entry) => entry.name === name)?.digest.sha256;
  const { version, catalogueDigest } = set;
  return [
    [requirementsDigest(set) === set.digest, `the frozen requirements ${version} of this installation were altered`],
    [
      requirements.digest === set.digest && configured(`requirements-${version}`) === set.digest,
      `the digest of the requirements is not that of the frozen set ${version}`,
    ],
    [
      specification.catalogueDigest === catalogueDigest && configured(`catalogue-${version}`) === catalogueDigest,
      `the catalogue digest is not that of catalogue ${version}`,
    ],
    [open.length === 0, `required rules are neither passed nor failed: ${open.join(", ")}`],
    [evaded.length === 0, `nothing that these required rules speak of may be absent: ${evaded.join(", ")}`],
    [requirements.mandatory === set.mandatory.length, "the number of requirements is not that of the frozen set"],
  ];
}

/** What the results and the evidence next to a statement say about it. */
async function evidenceOf(
  statement: Statement,
  set: RequirementSet,
  dir: string,
  judge?: Judge,
): Promise<VerificationItem[]> {
  const file = await readResultsFile(dir).catch((error: Error) => {
    if (error instanceof FileRefused && error.missing) return undefined;
    throw error;
  });
  if (file === undefined) return [unchecked(`the results: there is no ${runFiles.results} in ${dir}`)];
  const { results, digest: resultsDigest } = file;
  const { perpConformance: details, url } = statement.predicate;
  if (resultsDigest !== details.results.digest.sha256) {
    return [
      refused(`${runFiles.results} is not the one that the statement names: it was altered, or is of another run`),
    ];
  }
  const why = refusalReasons(results, set);
  if (why.length > 0)
    return why.map((reason) => refused(`no statement can be issued for ${runFiles.results}: ${reason}`));
  const derived = makeStatement({ results, resultsDigest, requirements: set, url });
  const difference = firstDifference(derived, statement, "");
  if (difference !== undefined)
    return [refused(`the statement does not follow from ${runFiles.results}: ${difference} is another`)];
  const items = [holds(`the statement follows from ${runFiles.results}`)];
  if (!existsSync(join(dir, runFiles.evidence))) {
    return [...items, unchecked(`the evidence: there is no ${runFiles.evidence}/ in ${dir}`)];
  }
  const sameHarness = details.harness.version === harness.version;
  const contradictions = await recheck(dir, results, sameHarness ? judge : undefined);
  if (contradictions.length > 0) return [...items, ...contradictions.map(refused)];
  if (judge === undefined) return [...items, holds("the evidence is complete and unaltered")];
  if (sameHarness)
    return [...items, holds("the evidence is complete and unaltered, and gives the same verdicts again")];
  return [
    ...items,
    holds("the evidence is complete and unaltered"),
    unchecked(`the verdicts: harness ${details.harness.version} gave them, this is ${harness.version}`),
  ];
}

/** The path of the first member of a derived document that differs in the given one, whose extra members are ignored. */
function firstDifference(derived: unknown, given: unknown, path: string): string | undefined {
  if (typeof derived !== "object" || derived === null) return derived === given ? undefined : path;
  if (typeof given !== "object" || given === null) return path;
  if (Array.isArray(derived) && (!Array.isArray(given) || given.length !== derived.length)) return path;
  for (const [name, value] of Object.entries(derived)) {
    const difference = firstDifference(
      value,
      (given as Record<string, unknown>)[name],
      path ? `${path}.${name}` : name,
    );
    if (difference !== undefined) return difference;
  }
  return undefined;
}

function holds(text: string): VerificationItem {
  return { kind: "holds", text };
}

function refused(text: string): VerificationItem {
  return { kind: "refused", text };
}

function unchecked(text: string): VerificationItem {
  return { kind: "unchecked", text };
}
