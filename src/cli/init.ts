import { existsSync } from "node:fs";
import { copyFile, writeFile } from "node:fs/promises";
import { basename, dirname, join, relative, resolve } from "node:path";
import { Command } from "commander";
import { packageRoot } from "../spec/package-root.js";
import { normalizeBaseUrl } from "../target/base-url.js";
import { commentedConfig } from "../target/commented-config.js";
import { defaultConfigFiles } from "../target/config.js";
import { UsageError } from "./failure.js";

interface InitFlags {
  readonly baseUrl?: string;
  readonly force?: true;
}

const [plainFile, commentedFile] = defaultConfigFiles;

const help = `
Examples:
  perp-conformance init --base-url http://127.0.0.1:8080
  perp-conformance init conformance/staging.jsonc      for: perp-conformance run --config conformance/staging.jsonc`;

/** `perp-conformance init [FILE]`: a configuration file to begin with. */
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
 * Writes the file, and beside it the schema unless the package is installed where the file is.
 *
 * @returns the files that were written
 */
async function init(file: string, { baseUrl, force }: InitFlags): Promise<string[]> {
  const folder = dirname(file);
  if (basename(file) === commentedFile && existsSync(join(folder, plainFile)))
    throw new UsageError(`there is a configuration file already: ${join(folder, plainFile)}`);
  const url = baseUrl === undefined ? undefined : normalizeBaseUrl(baseUrl);
  if (url && "problem" in url) throw new UsageError(`--base-url: ${url.problem}`);

  const schema = "schemas/configuration.schema.json";
  const installed = `node_modules/perp-conformance/${schema}`;
  const copy = "perp-conformance.schema.json";
  const isInstalled = existsSync(join(folder, installed));
  const text = commentedConfig(`./${isInstalled ? installed : copy}`, url ? { baseUrl: url.baseUrl } : {});
  await writeFile(file, text, { flag: force ? "w" : "wx" }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "EEXIST") throw new UsageError(`${file} is there already; --force replaces it`);
    throw new UsageError(`the file cannot be written: ${error.message}`);
  });
  if (isInstalled) return [file];
  await copyFile(join(packageRoot, schema), join(folder, copy));
  return [file, join(folder, copy)];
}
