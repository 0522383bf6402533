import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { Command } from "commander";
import { commentedConfig } from "../config/commented-config.js";
import { defaultConfigFiles } from "../config/sources.js";
import { normalizeBaseUrl } from "../connect/base-url.js";
import { readNamed } from "../files/read-file.js";
import { writeNew, writeWhole } from "../files/write.js";
import { UsageError } from "../report/failure.js";
import { packageRoot } from "../specification/package-root.js";

interface InitFlags {
  readonly baseUrl?: string;
  readonly force?: true;
}

const [plainFile, commentedFile] = defaultConfigFiles;

const help = `
Examples:
  perp-conformance init --base-url http://127.0.0.1:8080
  perp-conformance init conformance/staging.jsonc      for: perp-conformance run --config conformance/staging.jsonc`;

/** `perp-conformance init [FILE]`: writes a configuration file to start from. */
export function initCommand(): Command {
  return new Command("init")
    .description("Write a configuration file in which each setting is explained, with a schema for editors.")
    .argument("[file]", "the file to write", commentedFile)
    .option("--base-url <url>", "the server to test")
    .option("--force", "replace the file if it is there")
    .addHelpText("after", help)
    .action(async (file: string, flags: InitFlags) => {
      process.stdout.write(`${(await init(resolve(file), flags)).map((path) => relative("", path)).join("\n")}\n`);
    });
}

/**
 * Writes the configuration file. Writes the schema next to it, unless the package is installed there.
 *
 * @returns the files that were written
 */
async function init(file: string, { baseUrl, force }: InitFlags): Promise<string[]> {
  const folder = dirname(file);
  if (basename(file) === commentedFile && existsSync(join(folder, plainFile)))
    throw new UsageError(`a configuration file already exists: ${join(folder, plainFile)}`);
  const url = baseUrl === undefined ? undefined : normalizeBaseUrl(baseUrl);
  if (url && "problem" in url) throw new UsageError(`--base-url: ${url.problem}`);

  const schema = "schemas/configuration.schema.json";
  const installed = `node_modules/perp-conformance/${schema}`;
  const copy = "perp-conformance.schema.json";
  const isInstalled = existsSync(join(folder, installed));
  const text = commentedConfig(`./${isInstalled ? installed : copy}`, url ? { baseUrl: url.baseUrl } : {});
  const copyOfSchema = join(folder, copy);
  if (!force && existsSync(file)) throw new UsageError(`${file} already exists; use --force to replace it`);
  if (!isInstalled && existsSync(copyOfSchema) && !isSchema(copyOfSchema))
    throw new UsageError(`${copyOfSchema} already exists and is not the configuration schema: move it away`);
  if (force) await writeWhole(file, text);
  else await writeNew(file, text);
  if (isInstalled) return [file];
  await writeWhole(copyOfSchema, readFileSync(join(packageRoot, schema)));
  return [file, copyOfSchema];
}

/** A schema of ours is much smaller than this. */
const maxSchemaBytes = 1024 * 1024;

/** Whether a file is our schema, of any version. */
function isSchema(path: string): boolean {
  try {
    const schema: unknown = JSON.parse(readNamed(path, maxSchemaBytes).toString("utf8"));
    return (schema as { $id?: unknown }).$id === "urn:perp-conformance:configuration";
  } catch {
    return false;
  }
}
