import { createHash, createPublicKey, generateKeyPairSync, type KeyObject } from "node:crypto";
import { appendFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { sealRecord } from "../evidence/seal.js";
import type { Results } from "../report/results.js";
import { sessionOf } from "../session/session.fixture.js";
import { writeSession } from "../session/session-file.js";
import { certifiableRun, fullRun, MANDATORY, OPTIONAL, requirements } from "./certifiable.fixture.js";
import { type DsseEnvelope, seal } from "./dsse.js";
import { makeStatement, type Statement, statementText } from "./statement.js";
import { type VerifyOptions, verifyStatement } from "./verify.js";

const { privateKey, publicKey } = generateKeyPairSync("ed25519");

/** A judge who finds what the run found. */
const agreeing: VerifyOptions["judge"] = async (_, before) => before;

type Details = Statement["predicate"]["perpConformance"];

/** A run in a folder, and its statement. */
async function stated(results = fullRun()) {
  const run = await certifiableRun(results);
  const resultsDigest = createHash("sha256").update(run.text).digest("hex");
  const statement = makeStatement({ results: run.results, resultsDigest, requirements });
  return { ...run, statement, envelope: seal(statementText(statement), privateKey) };
}

async function verified(file: unknown, dir: string, key?: KeyObject, judge = agreeing) {
  const { items, ...rest } = await verifyStatement(JSON.stringify(file), { key, dir, judge });
  const texts = (kind: string) => items.filter((finding) => finding.kind === kind).map(({ text }) => text);
  return { ...rest, refused: texts("refused"), unchecked: texts("unchecked") };
}

describe("a statement", () => {
  test("is verified by its key, its requirements, its results and its evidence", async () => {
    const { envelope, statement, dir } = await stated();
    const found = await verified(envelope, dir, publicKey);
    expect(found).toEqual({ statement, authentic: true, evident: true, refused: [], unchecked: [] });
    expect((await verified(envelope, dir, createPublicKey(privateKey))).authentic).toBe(true);
  });

  test("of a failed run is as true as any", async () => {
    const { envelope, dir } = await stated(fullRun({ [MANDATORY]: "fail" }));
    const { refused, statement } = await verified(envelope, dir, publicKey);
    expect({ refused, result: statement?.predicate.result }).toEqual({ refused: [], result: "FAILED" });
  });

  test("of a run that had nothing to exercise some rules on is as true as any", async () => {
    const { envelope, dir } = await stated(fullRun({ [OPTIONAL]: "notApplicable" }));
    const { refused, statement } = await verified(envelope, dir, publicKey);
    expect({ refused, result: statement?.predicate.result }).toEqual({ refused: [], result: "PASSED" });
  });

  test("says what could not be checked: without a key, without a signature, without results or evidence", async () => {
    const { envelope, statement, dir } = await stated();
    const keyless = await verified(envelope, dir);
    expect(keyless).toMatchObject({ authentic: false, evident: true, refused: [] });
    expect(keyless.unchecked).toEqual([expect.stringContaining("give the signer's public key")]);
    expect((await verified(statement, dir)).unchecked).toEqual([expect.stringContaining("is not signed")]);
    await rm(join(dir, "evidence"), { recursive: true });
    expect((await verified(envelope, dir, publicKey)).unchecked).toEqual([expect.stringContaining("no evidence/")]);
    await rm(join(dir, "results.json"));
    const alone = await verified(envelope, dir, publicKey);
    expect(alone).toMatchObject({ authentic: true, evident: false, refused: [] });
    expect(alone.unchecked).toEqual([expect.stringContaining("no results.json")]);
  });

  test("is refused when it was not signed by the key, or altered after it was signed", async () => {
    const { envelope, statement, dir } = await stated();
    const other = generateKeyPairSync("ed25519").publicKey;
    expect((await verified(envelope, dir, other)).refused).toEqual([
      expect.stringContaining("was not signed by the key"),
    ]);
    expect((await verified(statement, dir, publicKey)).refused).toEqual(["the statement is not signed"]);
    const [signature] = envelope.signatures;
    const sig = `AAAA${signature?.sig.slice(4)}`;
    const forged: DsseEnvelope = { ...envelope, signatures: [{ ...signature, sig }] };
    expect((await verified(forged, dir, publicKey)).refused).toEqual([
      expect.stringContaining("does not fit: the statement was altered after it was signed"),
    ]);
    const better = statementText(changed(statement, { seed: 8 }));
    const swapped: DsseEnvelope = { ...envelope, payload: Buffer.from(better).toString("base64") };
    expect((await verified(swapped, dir, publicKey)).refused).toEqual([
      expect.stringContaining("does not fit: the statement was altered after it was signed"),
      "the statement does not follow from results.json: predicate.perpConformance.seed is another",
    ]);
  });

  test.each<[string, (statement: Statement) => Statement, RegExp]>([
    [
      "catalogue digest",
      (it) =>
        changed(it, {
          specification: { ...it.predicate.perpConformance.specification, catalogueDigest: "c".repeat(64) },
        }),
      /^the catalogue digest is not that of catalogue \d/,
    ],
    [
      "digest of the requirements",
      (it) => changed(it, { requirements: { ...it.predicate.perpConformance.requirements, digest: "c".repeat(64) } }),
      /digest of the requirements/,
    ],
    [
      "set of requirements, for one that does not exist",
      (it) => changed(it, { requirements: { ...it.predicate.perpConformance.requirements, version: "1.0.1" } }),
      /requirements 1\.0\.1 are unknown/,
    ],
    ["configuration", (it) => ({ ...it, predicate: { ...it.predicate, configuration: [] } }), /catalogue digest/],
    [
      "implementation",
      (it) => changed(it, { implementation: { name: "Evil", version: "1" } }),
      /the subject is not the implementation/,
    ],
    [
      "subject",
      (it) => ({ ...it, subject: it.subject.map((one) => ({ ...one, name: "Evil 1" })) }),
      /the subject is not/,
    ],
    ["result", (it) => ({ ...it, predicate: { ...it.predicate, result: "FAILED" } }), /the result is not FAILED/],
    [
      "list of passed rules",
      (it) => ({
        ...it,
        predicate: { ...it.predicate, passedTests: it.predicate.passedTests.filter((id) => id !== MANDATORY) },
      }),
      /required rules are neither passed nor failed: get-all-positions\.limit-default/,
    ],
    [
      "list of rules that were not exercised, for one that has to be",
      (it) => ({
        ...it,
        predicate: {
          ...it.predicate,
          passedTests: it.predicate.passedTests.filter((id) => id !== MANDATORY),
          perpConformance: { ...it.predicate.perpConformance, notExercised: [MANDATORY] },
        },
      }),
      /nothing that these required rules speak of may be absent: get-all-positions\.limit-default/,
    ],
    [
      "lists, one rule in two",
      (it) => ({ ...it, predicate: { ...it.predicate, warnedTests: [MANDATORY] } }),
      /a rule is listed twice/,
    ],
  ])("is refused also without a key when its %s was changed", async (_, change, reason) => {
    const { statement, dir } = await stated();
    await rm(join(dir, "results.json"));
    const { refused } = await verified(change(statement), dir);
    expect(refused.some((line) => reason.test(line))).toBe(true);
  });

  test.each<[string, (dir: string, results: Results) => Promise<unknown>, RegExp]>([
    ["the results", (dir) => appendFile(join(dir, "results.json"), " "), /results\.json is not the one/],
    [
      "an exchange",
      (dir) => appendFile(join(dir, "evidence/exchanges-1.ndjson"), "{}\n"),
      /exchanges-1\.ndjson was altered/,
    ],
    ["the seal", (dir) => rm(join(dir, "evidence/seal.json")), /has no seal/],
    [
      "the evidence, sealed again",
      async (dir) => {
        await appendFile(join(dir, "evidence/exchanges-1.ndjson"), "{}\n");
        await sealRecord(join(dir, "evidence"));
      },
      /not the one that the results name/,
    ],
  ])("is refused when %s beside it was altered", async (_, alter, reason) => {
    const { envelope, dir, results } = await stated();
    await alter(dir, results);
    const found = await verified(envelope, dir, publicKey);
    expect(found.refused).toEqual([expect.stringMatching(reason)]);
    expect(found.evident).toBe(false);
  });

  test("is refused when the evidence is of another session, or gives a different verdict", async () => {
    const { results, dir, envelope } = await stated();
    const { profile: _, seed, selection, target } = results;
    const session = sessionOf({ target: { ...sessionOf().target, baseUrl: target.baseUrl }, seed, selection });
    await writeSession(join(dir, "evidence"), session);
    const digest = await sealRecord(join(dir, "evidence"));
    const text = JSON.stringify({ ...results, evidence: { digest } });
    await writeFile(join(dir, "results.json"), text);
    const resultsDigest = createHash("sha256").update(text).digest("hex");
    const lie = makeStatement({ results: { ...results, evidence: { digest } }, resultsDigest, requirements });
    expect((await verified(lie, dir)).refused).toEqual(['the results name the profile "full", the evidence "quick"']);

    const honest = await stated();
    const judge: VerifyOptions["judge"] = async () => fullRun({ [MANDATORY]: "fail" });
    expect((await verified(honest.envelope, honest.dir, publicKey, judge)).refused).toEqual([
      `${MANDATORY} is pass in the results, and fail by the evidence`,
    ]);
    expect(envelope.payload).not.toBe("");
  });

  test("of another version of the harness is verified but for its verdicts", async () => {
    const results = fullRun({}, { harness: { name: "perp-conformance", version: "0.0.1" } });
    const { envelope, dir } = await stated(results);
    const judge: VerifyOptions["judge"] = () => Promise.reject(new Error("nobody must judge"));
    const found = await verified(envelope, dir, publicKey, judge);
    expect(found).toMatchObject({ authentic: true, evident: false, refused: [] });
    expect(found.unchecked).toEqual([expect.stringMatching(/harness 0\.0\.1 gave them/)]);
  });
});

test.each([
  ["no JSON", "{", /not JSON/],
  ["another JSON", '{"a":1}', /no conformance statement/],
  ["null", "null", /no conformance statement/],
  [
    "an envelope of something else",
    JSON.stringify({ payloadType: "a/b", payload: "e30=", signatures: [{ sig: "AA==" }] }),
    /"a\/b"/,
  ],
  [
    "an envelope around nothing",
    JSON.stringify({ payloadType: "application/vnd.in-toto+json", payload: "AAAA", signatures: [{ sig: "AA==" }] }),
    /the payload of the envelope is not JSON/,
  ],
])("a file with %s is refused", async (_, text, reason) => {
  const { items, statement } = await verifyStatement(text, { dir: "/nowhere", judge: agreeing });
  expect(items).toEqual([{ kind: "refused", text: expect.stringMatching(reason) }]);
  expect(statement).toBeUndefined();
});

/** The statement with other details. */
function changed(statement: Statement, change: Partial<Details>): Statement {
  const { predicate } = statement;
  return { ...statement, predicate: { ...predicate, perpConformance: { ...predicate.perpConformance, ...change } } };
}
