import { dirname } from "node:path";
import { exitCodes } from "../report/exit-code.js";
import { UsageError } from "../report/failure.js";
import { sanitize } from "../report/sanitize.js";
import { readUserFile } from "../report/user-file.js";
import { rejudgeEvidence } from "../run/rejudge.js";
import { statementBytes } from "../statement/dsse.js";
import { readKey } from "../statement/keys.js";
import { type StatementVerification, verifyStatement } from "../statement/verify.js";
import { print } from "./output.js";

/** The options of `verify`. */
export interface VerifyFlags {
  readonly key?: string;
  readonly from?: string;
  readonly json?: true;
  readonly requireSignature?: true;
}

/**
 * Verifies a statement, and prints what was found.
 *
 * @returns the exit code
 */
export async function verifyAndPrint(file: string, flags: VerifyFlags): Promise<number> {
  if (flags.requireSignature && flags.key === undefined)
    throw new UsageError("--require-signature: give the signer's public key with --key");
  const text = readUserFile("the statement", file, statementBytes).toString("utf8");
  const key = flags.key === undefined ? undefined : readKey(flags.key, "public");
  const verification = await verifyStatement(text, { key, dir: flags.from ?? dirname(file), judge: rejudgeEvidence });
  const { line, exitCode } = conclude(verification);
  const { items, statement, authentic, evident } = verification;
  if (flags.json) {
    print({
      format: "perp-conformance/verification",
      formatVersion: 1,
      exitCode,
      conclusion: line,
      authentic,
      evident,
      items,
      ...(statement && { statement }),
    } as const);
    return exitCode;
  }
  const labels = { holds: "ok", refused: "REFUSED", unchecked: "not checked" };
  const lines = items.map(({ kind, text: what }) => `${labels[kind].padEnd(12)} ${sanitize(what)}`);
  process.stdout.write(`${[...lines, sanitize(line)].join("\n")}\n`);
  return exitCode;
}

/** The conclusion in one line, and the exit code that goes with it. */
function conclude({ items, statement, authentic, evident }: StatementVerification): { line: string; exitCode: number } {
  if (statement === undefined || items.some(({ kind }) => kind === "refused")) {
    return { line: "REFUSED", exitCode: exitCodes.notConformant };
  }
  const { result, perpConformance } = statement.predicate;
  const { name, version } = perpConformance.implementation;
  const says = `${name} ${version}: ${result} by requirements ${perpConformance.requirements.version}`;
  if (authentic)
    return { line: `VERIFIED ${says}${evident ? "" : " (by its signature alone)"}`, exitCode: exitCodes.conformant };
  if (evident) return { line: `SUPPORTED by the evidence, signer unknown: ${says}`, exitCode: exitCodes.conformant };
  return { line: `NOT VERIFIED, neither by a key nor by the evidence: ${says}`, exitCode: exitCodes.undecided };
}
