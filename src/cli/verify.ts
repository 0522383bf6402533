import { dirname } from "node:path";
import { Command } from "commander";
import { exitCodes } from "../report/exit-code.js";
import { UsageError } from "../report/failure.js";
import { sanitize } from "../report/sanitize.js";
import { readUserFile } from "../report/user-file.js";
import type { StatementVerification } from "../statement/verify.js";
import { print } from "./output.js";

interface VerifyFlags {
  readonly key?: string;
  readonly from?: string;
  readonly json?: true;
  readonly requireSignature?: true;
}

/** `perp-conformance verify FILE`: verifies a conformance statement. */
export function verifyCommand(): Command {
  return new Command("verify")
    .description(
      "Verify a conformance statement: signature, requirements, and results and evidence if they are next to it.",
    )
    .argument("<file>", "the statement")
    .option("--key <file>", "public key of the signer, PEM")
    .option("--from <dir>", "folder with results.json and evidence/ (default: the folder of the statement)")
    .option("--require-signature", "fail unless it is signed by --key, even if the evidence matches")
    .option("--json", "print what was found as one JSON document, and nothing else")
    .addHelpText(
      "after",
      `
Examples:
  perp-conformance verify acme/statement.json --key acme.key.pub
  perp-conformance verify statement.json --key acme.key.pub --from downloads/acme-run
  perp-conformance verify statement.json --key acme.key.pub --require-signature

Exit codes:
  0  everything that could be checked holds; the output names what could not be checked
  1  refused, with the reasons
  2  usage error
  4  nothing to verify it with: no key was given, and the evidence is not next to it`,
    )
    .action(async (file: string, flags: VerifyFlags) => {
      process.exitCode = await verify(file, flags);
    });
}

async function verify(file: string, flags: VerifyFlags): Promise<number> {
  const { verifyStatement } = await import("../statement/verify.js");
  const { statementBytes } = await import("../statement/dsse.js");
  const { readKey } = await import("../statement/keys.js");
  const { rejudgeEvidence } = await import("../run/rejudge.js");
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
