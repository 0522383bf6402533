import { resolve } from "node:path";
import { Command } from "commander";

/** `perp-conformance keygen`: makes a key pair for signing statements. */
export function keygenCommand(): Command {
  return new Command("keygen")
    .description("Make a pair of Ed25519 keys to sign statements with.")
    .option("--out <file>", "file of the private key; the public key gets .pub at the end", "perp-conformance.key")
    .addHelpText(
      "after",
      `
Examples:
  perp-conformance keygen
  perp-conformance keygen --out ~/keys/acme.key

Keep the private key to yourself, and publish the .pub file: others verify statements with it.`,
    )
    .action(async ({ out }: { out: string }) => {
      const { makeKeys } = await import("../statement/keys.js");
      const keys = await makeKeys(resolve(out));
      process.stdout.write(`private  ${keys.privateKey}\npublic   ${keys.publicKey}\nkey id   ${keys.keyId}\n`);
    });
}
