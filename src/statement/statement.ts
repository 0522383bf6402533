import { hash } from "node:crypto";
import { z } from "zod";
import type { Verdict } from "../engine/result.js";
import { countVerdicts, type Results, reportedVerdicts } from "../report/results.js";
import { isRuleId } from "../specification/catalogue/index.js";
import type { RequirementSet } from "../specification/requirements.js";

/** The in-toto types that mark a document as a statement on a test result. */
const statementType = "https://in-toto.io/Statement/v1";
const predicateType = "https://in-toto.io/attestation/test-result/v0.1";

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const digest = z.looseObject({ sha256 });
const resource = z.looseObject({ name: z.string(), digest });
const ruleIds = z.array(z.string()).describe("Ids of rules");
const count = z.int().min(0);

/** What was tested and who made it, as the configuration of the run says. */
export const implementationSchema = z.looseObject({
  name: z.string().min(1),
  version: z.string().min(1),
  vendor: z.string().optional(),
  contact: z.string().optional(),
  url: z.string().optional(),
});

const identity = z.looseObject({ name: z.string(), version: z.string() });

/** Details that in-toto's test result has no place for. */
const detailsSchema = z.looseObject({
  formatVersion: z.literal(2),
  implementation: implementationSchema,
  target: z.looseObject({ baseUrl: z.string() }),
  harness: identity,
  specification: z.looseObject({ name: z.string(), version: z.string(), catalogueDigest: sha256 }),
  requirements: z
    .looseObject({ version: z.string().regex(/^\d+\.\d+\.\d+$/), digest: sha256, mandatory: count })
    .describe(
      "The frozen set of mandatory rules, each of which came to a conclusion or had nothing to be exercised on",
    ),
  profile: z.literal("full"),
  seed: z.int(),
  strict: z.boolean().describe("Advisory violations count"),
  startedAt: z.iso.datetime(),
  finishedAt: z.iso.datetime(),
  notExercised: ruleIds.describe(
    "Rules that speak of something which may be absent, and which the run found absent wherever it could be",
  ),
  counts: z
    .strictObject(Object.fromEntries(reportedVerdicts.map((verdict) => [verdict, count])) as Record<Verdict, z.ZodInt>)
    .describe("How many rules of the catalogue have each verdict"),
  requests: count,
  interactions: z
    .array(
      z.looseObject({ name: z.string(), strength: z.union([z.literal(2), z.literal(3)]), covered: count, of: count }),
    )
    .optional()
    .describe("Of each operation: how many combinations of two or three classes of its fields were tried, of how many"),
  power: z
    .looseObject({ killed: count, survived: count, notExercised: count })
    .optional()
    .describe("Of the faults that were planted into the recorded answers, how many the run would have detected"),
  results: resource.describe("The results file of the run"),
  evidence: resource.describe("The seal of the record of all exchanges"),
  reproduce: z.string().describe("The command that repeats the run"),
});

/** A conformance statement: an in-toto Statement with a test result. Members that are not listed are allowed and ignored. */
export const statementSchema = z.looseObject({
  _type: z.literal(statementType),
  subject: z
    .array(resource)
    .length(1)
    .describe("The implementation; its digest is that of the identity that perpConformance spells out"),
  predicateType: z.literal(predicateType),
  predicate: z.looseObject({
    result: z.enum(["PASSED", "WARNED", "FAILED"]),
    configuration: z
      .array(resource)
      .describe("What it was tested by: the catalogue of rules and the set of requirements"),
    url: z.url().optional().describe("Where the results are published"),
    passedTests: ruleIds,
    warnedTests: ruleIds,
    failedTests: ruleIds,
    perpConformance: detailsSchema,
  }),
});

/** The content of a statement. */
export type Statement = z.infer<typeof statementSchema>;

/** What a statement is made from. */
export interface StatementFacts {
  readonly results: Results;
  /** SHA-256 of the results file. */
  readonly resultsDigest: string;
  readonly requirements: RequirementSet;
  /** Where the results are published. */
  readonly url?: string | undefined;
}

/**
 * Makes the statement of a run that may be certified (see `refusalsOfRun`). A baseline does not affect it, and rules from outside
 * the catalogue are left out.
 *
 * @throws if the run names no evidence or no implementation
 */
export function makeStatement({ results, resultsDigest, requirements, url }: StatementFacts): Statement {
  const { target, harness, specification, profile, seed, strict, startedAt, finishedAt, requests } = results;
  const implementation = implementationSchema.parse(target.implementation);
  const rules = results.rules.filter(({ id }) => isRuleId(id));
  const withVerdict = (verdict: Verdict) => rules.filter((rule) => rule.verdict === verdict).map(({ id }) => id);
  const [passedTests, warnedTests, failedTests] = [withVerdict("pass"), withVerdict("warn"), withVerdict("fail")];
  return statementSchema.parse({
    _type: statementType,
    subject: [subjectOf(implementation)],
    predicateType,
    predicate: {
      result: overallResult({ failedTests, warnedTests }, strict),
      configuration: [
        { name: `catalogue-${requirements.version}`, digest: { sha256: specification.catalogueDigest } },
        { name: `requirements-${requirements.version}`, digest: { sha256: requirements.digest } },
      ],
      ...(url !== undefined && { url }),
      passedTests,
      warnedTests,
      failedTests,
      perpConformance: {
        formatVersion: 2,
        implementation,
        target: { baseUrl: target.baseUrl },
        harness,
        specification,
        requirements: {
          version: requirements.version,
          digest: requirements.digest,
          mandatory: requirements.mandatory.length,
        },
        profile,
        seed,
        strict,
        startedAt,
        finishedAt,
        notExercised: withVerdict("notApplicable"),
        counts: countVerdicts(rules),
        requests: requests.count,
        interactions: results.summary.interactions,
        ...(results.power && { power: results.power }),
        results: { name: "results.json", digest: { sha256: resultsDigest } },
        evidence: { name: "evidence/seal.json", digest: { sha256: results.evidence?.digest } },
        reproduce: results.command,
      },
    },
  });
}

/** The overall result from the lists of rules. A warning counts as a failure if the run was strict. */
export function overallResult(
  { failedTests, warnedTests }: Pick<Statement["predicate"], "failedTests" | "warnedTests">,
  strict: boolean,
): Statement["predicate"]["result"] {
  if (failedTests.length > 0 || (strict && warnedTests.length > 0)) return "FAILED";
  return warnedTests.length > 0 ? "WARNED" : "PASSED";
}

/**
 * The subject of a statement. What runs behind a base URL has no bytes to hash. So the digest is that of the identity:
 * SHA-256 of its string members, as compact JSON with sorted names.
 */
export function subjectOf(implementation: z.infer<typeof implementationSchema>): Statement["subject"][number] {
  const members = Object.entries(implementation).filter(([, value]) => typeof value === "string");
  const canonical = JSON.stringify(Object.fromEntries(members.sort(([a], [b]) => (a < b ? -1 : 1))));
  const name = `${implementation.name} ${implementation.version}`;
  return { name, digest: { sha256: hash("sha256", canonical) } };
}

/** The text of a statement, as it is written and signed. */
export function statementText(statement: Statement): string {
  return `${JSON.stringify(statement, undefined, 2)}\n`;
}
