import { createHash, generateKeyPairSync } from "node:crypto";
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../files/temporary-folder.fixture.js";
import { Random } from "../reference/random.js";
import type { Results } from "../report/results.js";
import { certifiableRun, fullRun, requirements } from "../statement/certifiable.fixture.js";
import { seal } from "../statement/dsse.js";
import { makeStatement, statementText } from "../statement/statement.js";
import { verifyStatement } from "../statement/verify.js";
import { alterations, CANARY, folderContent, sealAnew } from "./altered-record.fixture.js";
import { type EndedHere, mainHere } from "./command.fixture.js";
import { recordRun } from "./run-folder.fixture.js";

/** How many records are altered: `FUZZ_RUNS=10000 npx vitest run --project e2e src/e2e/fuzz.test.ts` for many, `FUZZ_SEED` for others. */
const runs = Number(process.env.FUZZ_RUNS ?? 30);
const firstSeed = Number(process.env.FUZZ_SEED ?? 1);

const RULE = "get-all-positions.limit-default";
const { privateKey, publicKey } = generateKeyPairSync("ed25519");

let root: string;
let genuine: Results;

/** What holds all that a command may touch, and beside it what it must not: names from the record are relative to `run/evidence`. */
const within = (...names: string[]) => join(root, ...names);

async function prepare(): Promise<void> {
  root = temporaryFolder();
  mkdirSync(within("genuine"));
  genuine = await recordRun(within("genuine"), [RULE, "order-book.levels-sorted"], "get-all-positions-default-49");
  expect(genuine.summary.verdicts).toMatchObject({ pass: 1, fail: 1 });

  const { dir, results, text } = await certifiableRun(fullRun());
  const resultsDigest = createHash("sha256").update(text).digest("hex");
  const statement = makeStatement({ results, resultsDigest, requirements });
  cpSync(dir, within("stated"), { recursive: true });
  mkdirSync(within("stated/evidence/bodies"));
  writeFileSync(within("stated/statement.json"), JSON.stringify(seal(statementText(statement), privateKey)));
}

/** Copies a folder to `run`, and puts beside it what nobody may touch. */
function sandbox(from: string): void {
  for (const name of ["run", "outside", "out"]) rmSync(within(name), { recursive: true, force: true });
  cpSync(within(from), within("run"), { recursive: true });
  mkdirSync(within("outside"));
  writeFileSync(within("outside/secret.txt"), CANARY);
  mkdirSync(within("out"));
}

/** Alters the copy; says how, for whoever has to look at it again. */
function alter(random: Random): string {
  const done: string[] = [];
  for (let count = random.chance(0.2) ? 2 : 1; count > 0; count--) {
    const [name = "", change] = random.pick(Object.entries(alterations));
    try {
      change?.(within("run"), random, within("outside"));
      done.push(name);
    } catch {
      // What the first alteration left cannot be altered in this way.
    }
  }
  // What is refused for its seal is seen by no other code.
  const named = "sealed again, and the results name it";
  const resealed = random.pick(["", "sealed again", named, named, named]);
  if (resealed !== "") {
    try {
      sealAnew(within("run"), resealed === named);
    } catch {
      // Nor be sealed.
    }
  }
  return [...done, resealed].filter(Boolean).join(", ");
}

/** What results say of each rule and check. */
function verdictsOf({ rules }: Results): unknown {
  return rules.map(({ id, verdict, checks }) => [id, verdict, checks.map((check) => [check.name, check.verdict])]);
}

const parsed = async (path: string) =>
  JSON.parse(
    await readFile(path, "utf8")
      .catch(() => "null")
      .then((text) => text || "null"),
  ) as Results | null;

/** Whether the results still say what they said, of the record that they said it of. */
async function isFaithful(): Promise<boolean> {
  try {
    const results = await parsed(within("run/results.json"));
    return results !== null && JSON.stringify(verdictsOf(results)) === JSON.stringify(verdictsOf(genuine));
  } catch {
    return false;
  }
}

/** The evidence as far as it is altered in a way that its digest tells. */
function evidenceIn(dir: string): string {
  return JSON.stringify([...folderContent(dir)].filter(([name]) => name.startsWith("evidence")));
}

const sealDigest = () =>
  createHash("sha256")
    .update(readFileSync(within("genuine/evidence/seal.json")))
    .digest("hex");

test(`${runs} altered records are refused or judged by what they hold, and nothing beside them is touched`, {
  timeout: 36_000_000,
}, async () => {
  await prepare();
  const codes = new Map<string, number>();
  for (let seed = firstSeed; seed < firstSeed + runs; seed++) {
    const random = new Random(seed, "altered records");
    sandbox("genuine");
    const how = `seed ${seed}: ${alter(random)}`;
    const before = folderContent(within("outside"));
    const altered = folderContent(within("run"));
    const evidenceAltered = evidenceIn(within("run")) !== evidenceIn(within("genuine"));
    const namesGenuine = (await readFile(within("run/results.json"), "utf8").catch(() => "")).includes(sealDigest());
    const faithful = await isFaithful();

    const outcomes: Readonly<Record<string, EndedHere>> = {
      rejudge: await mainHere(["rejudge", within("run")]),
      reproduce: await mainHere(["reproduce", RULE, "--from", within("run"), "--out", within("out/bundle")]),
      merge: await mainHere(["merge", within("run"), "--no-report", "--out", within("out/merged")]),
    };
    for (const [command, { code, stdout, stderr }] of Object.entries(outcomes)) {
      const text = stdout + stderr;
      const what = `${how}: ${command} ended with ${code}: ${text.slice(0, 2_000)}`;
      codes.set(`${command} ${code}`, (codes.get(`${command} ${code}`) ?? 0) + 1);
      expect(text, what).not.toContain("the harness broke");
      expect(text, what).not.toContain(CANARY);
      const refused = code === 2 || code === 3;
      if (evidenceAltered && namesGenuine) expect(refused, what).toBe(true);
      if (!faithful && !refused) expect(evidenceAltered, what).toBe(true);
    }
    // The results of a merged run and the page of a bundle say what the evidence does.
    if (!evidenceAltered && outcomes.merge?.code === 1)
      expect((await parsed(within("out/merged/results.json")))?.summary.verdicts, how).toEqual(
        genuine.summary.verdicts,
      );
    expect(folderContent(within("outside")), how).toEqual(before);
    expect(folderContent(within("run")), how).toEqual(altered);
    for (const [name, content] of folderContent(within("out"))) {
      expect(content, `${how}: ${name}`).not.toMatch(/^->/);
      if (content !== "folder")
        expect(readFileSync(within("out", name), "utf8"), `${how}: ${name}`).not.toContain(CANARY);
    }

    sandbox("stated");
    const howStated = `seed ${seed}: ${alter(random)}`;
    const stated = folderContent(within("run"));
    const isAltered = JSON.stringify([...stated]) !== JSON.stringify([...folderContent(within("stated"))]);
    const text = await readFile(within("run/statement.json"), "utf8").catch(() => "");
    const found = await verifyStatement(text, {
      key: publicKey,
      dir: within("run"),
      judge: async (_, results) => results,
    });
    const what = `${howStated}: ${JSON.stringify(found.items)}`;
    const accepted = found.items.every(({ kind }) => kind === "holds");
    codes.set(`verify ${accepted}`, (codes.get(`verify ${accepted}`) ?? 0) + 1);
    expect(what).not.toContain(CANARY);
    expect(what).not.toMatch(/TypeError|RangeError|is not a function|Cannot read/);
    // A signed statement in other words, such as with a blank at its end, is the same.
    if (accepted && isAltered)
      expect(statedWithoutBlanks(text), what).toBe(
        statedWithoutBlanks(readFileSync(within("stated/statement.json"), "utf8")),
      );
    // A folder without a file may be missing, but nothing else may stand in its place.
    if (accepted)
      for (const [name, content] of folderContent(within("stated")))
        if (name !== "statement.json") expect(stated.get(name) ?? "folder", what).toBe(content);
  }
  if (process.env.FUZZ_RUNS) console.log(Object.fromEntries([...codes].sort()));
  expect(codes.size).toBeGreaterThan(4);
});

function statedWithoutBlanks(text: string): string {
  const { payload, signatures } = JSON.parse(text) as { payload: string; signatures: { sig: string }[] };
  return JSON.stringify([Buffer.from(payload, "base64").toString(), signatures.map(({ sig }) => sig).slice(0, 1)]);
}
