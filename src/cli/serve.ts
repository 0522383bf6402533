import { Command } from "commander";
import type { Modification } from "../reference/modification.js";
import { exitCodes } from "../report/exit-code.js";
import { UsageError, unknownName } from "../report/failure.js";
import { onInterruption } from "../run/interruption.js";
import { integerUpTo } from "./options.js";

interface ServeFlags {
  readonly port: number;
  readonly seed: number;
  readonly orders?: number;
  readonly walletOrders?: number;
  readonly latency?: number;
  readonly jitter?: number;
  readonly churn?: boolean;
  readonly mutant?: string;
  readonly variant?: string;
  readonly quiet?: boolean;
}

const help = `
Examples:
  perp-conformance serve --port 8080
  perp-conformance serve --mutant order-book-asks-not-bucketed
  perp-conformance serve --orders 100000 --latency 20 --jitter 30 --churn
  perp-conformance serve --wallet-orders 200000`;

/** `perp-conformance serve`: runs the embedded reference server until SIGINT or SIGTERM. */
export function serveCommand(): Command {
  return new Command("serve")
    .description("Run the embedded reference server, or one of its mutants and variants.")
    .option("--port <n>", "port on 127.0.0.1; 0 takes a free one", integerUpTo(65_535), 0)
    .option("--seed <n>", "seed of the data", integerUpTo(Number.MAX_SAFE_INTEGER), 1)
    .option(
      "--orders <n>",
      "about how many orders there are, up to 1000000; 0 for an empty platform",
      integerUpTo(1_000_000),
    )
    .option("--wallet-orders <n>", "about how many extra orders one wallet has", integerUpTo(1_000_000))
    .option("--latency <ms>", "delay of every answer and stream frame", integerUpTo(600_000))
    .option("--jitter <ms>", "random extra delay, at most", integerUpTo(600_000))
    .option("--churn", "change the data all the time")
    .option("--mutant <name>", "break one rule; `perp-conformance explain RULE` lists its mutants")
    .option("--variant <name>", "use one freedom that the specification leaves")
    .option("--quiet", "print nothing but the URL")
    .addHelpText("after", help)
    .action(serve);
}

async function serve(flags: ServeFlags): Promise<void> {
  const { startReferenceServer } = await import("../reference/server.js");
  const modification = await modificationOf(flags);
  const interruption = onInterruption();
  try {
    const server = await startReferenceServer({
      port: flags.port,
      seed: flags.seed,
      identified: true,
      orders: flags.orders,
      walletOrders: flags.walletOrders,
      latencyMs: flags.latency,
      jitterMs: flags.jitter,
      churn: flags.churn,
      modification,
    });
    const address = flags.quiet ? server.url : `${describe(modification)} on ${server.url} (Ctrl-C ends it)`;
    const ended = new Promise((resolve) => interruption.signal.addEventListener("abort", resolve, { once: true }));
    // Without its address, nobody can use the server.
    if (await tryPrint(`${address}\n`)) await ended;
    await server.close();
  } catch (error) {
    if (!isListenError(error)) throw error;
    const why = error.code === "EADDRINUSE" ? "is in use" : "is not available";
    process.stderr.write(`error: port ${flags.port} ${why} (${error.code})\n`);
    process.exitCode = exitCodes.broken;
  } finally {
    interruption.dispose();
  }
}

/** Prints a text. Resolves to whether that worked: it did not if the disk is full, for example. */
function tryPrint(text: string): Promise<boolean> {
  return new Promise((resolve) => process.stdout.write(text, (error) => resolve(!error)));
}

async function modificationOf({ mutant, variant }: ServeFlags): Promise<Modification | undefined> {
  if (mutant !== undefined && variant !== undefined)
    throw new UsageError("--mutant and --variant cannot be used together");
  const kind = mutant === undefined ? "variant" : "mutant";
  const name = mutant ?? variant;
  if (name === undefined) return undefined;
  const { findModification, mutants, variants } = await import("../reference/modifications.js");
  const modification = findModification(kind, name);
  if (modification !== undefined) return modification;
  const known: readonly Modification[] = kind === "mutant" ? mutants : variants;
  throw unknownName(
    kind,
    name,
    known.map((each) => each.name),
  );
}

function describe(modification: Modification | undefined): string {
  return modification === undefined ? "reference server" : `${modification.kind} ${modification.name}`;
}

function isListenError(error: unknown): error is Error & { code: string } {
  return error instanceof Error && "syscall" in error && error.syscall === "listen" && "code" in error;
}
