import { Command } from "commander";
import type { VerifyFlags } from "./verify-and-print.js";

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
      const { verifyAndPrint } = await import("./verify-and-print.js");
      process.exitCode = await verifyAndPrint(file, flags);
    });
}
