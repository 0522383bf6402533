import { hash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020, type ErrorObject, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { RecordRefused } from "../evidence/folder.js";
import { readWithin } from "../files/read-file.js";
import { type Checked, type Format, parseDocument } from "../files/read-json.js";
import { FileRefused } from "../files/refused.js";
import { endpointNames } from "../specification/endpoints.js";
import { isOwnRuleId } from "../specification/own-rules.js";
import { packageRoot } from "../specification/package-root.js";
import { isReadings } from "../specification/readings.js";
import { sectionNames } from "../specification/sections.js";
import { maxShards } from "../specification/shard.js";
import { withoutRanges } from "./exchange-ranges.js";
import { type Results, resultsVersion } from "./results.js";
import { runFiles } from "./write.js";

/** The results of a run, as read from its folder. */
export interface ResultsFile {
  readonly results: Results;
  /** The content of the file, and its SHA-256 in hexadecimal. */
  readonly text: Buffer;
  readonly digest: string;
}

const resultsFormat: Format<Results> = {
  name: "perp-conformance/results",
  versions: [resultsVersion],
  check: checkResults,
  maxBytes: 64 * 1024 * 1024,
  maxValues: 2_000_000,
};

/**
 * Reads the results of a run from its folder. They may come from anyone, so nothing is used before everything is validated.
 *
 * @throws FileRefused if there are none (the error is then marked as missing)
 * @throws RecordRefused if they are damaged, or of a version that is unknown here
 */
export async function readResults(dir: string): Promise<Results> {
  return (await readResultsFile(dir)).results;
}

/** {@link readResults}, with the content and the digest of the file. */
export async function readResultsFile(dir: string): Promise<ResultsFile> {
  try {
    const bytes = readWithin(dir, runFiles.results, resultsFormat.maxBytes);
    const results = parseDocument(bytes, join(dir, runFiles.results), resultsFormat);
    return { results, text: bytes, digest: hash("sha256", bytes) };
  } catch (error) {
    throw error instanceof FileRefused && !error.missing ? new RecordRefused(error.message) : error;
  }
}

let validator: ValidateFunction<Results> | undefined;

function compiled(): ValidateFunction<Results> {
  const ajv = new Ajv2020({ strict: true });
  addFormats.default(ajv);
  return ajv.compile<Results>(JSON.parse(readFileSync(join(packageRoot, "schemas/results.schema.json"), "utf8")));
}

function checkResults(value: unknown): Checked<Results> {
  validator ??= compiled();
  if (!validator(value)) return { problem: inWords(validator.errors?.[0]) };
  const problem = unknownNameIn(value);
  if (problem !== undefined) return { problem };
  try {
    return { value: withoutRanges(value) };
  } catch (error) {
    if (error instanceof RangeError) return { problem: error.message };
    throw error;
  }
}

function inWords(error: ErrorObject | undefined): string {
  const place = error?.instancePath.slice(1).replaceAll("/", ".") ?? "";
  return `${place === "" ? "it" : place} ${error?.message}`;
}

/** The problem with the first name in results that this version does not know, if there is one. */
function unknownNameIn({ rules, selection, readings = {}, shards = [], summary }: Results): string | undefined {
  const endpoints: readonly string[] = endpointNames;
  const sections: readonly string[] = sectionNames;
  for (const { id, own, section, endpoints: named, checks } of rules) {
    if ((own === true) !== isOwnRuleId(id))
      return `${id} is marked as a rule of the catalogue, or of the user's own, and is not`;
    if (!sections.includes(section)) return `${id} stands in the section ${section}, which does not exist`;
    const unknown = [...named, ...checks.map(({ endpoint }) => endpoint)].find((name) => !endpoints.includes(name));
    if (unknown !== undefined) return `${id} names the operation ${unknown}, which does not exist`;
  }
  const operation = summary.operations.find(({ name }) => !endpoints.includes(name));
  if (operation !== undefined) return `summary names the operation ${operation.name}, which does not exist`;
  if (!isReadings(readings)) return "readings holds a choice that this version does not know";
  const { shard } = selection;
  if (shard && (shard.index > shard.count || shard.count > maxShards)) return "selection.shard does not exist";
  const indices = shards.map(({ index }) => index);
  if (new Set(indices).size !== indices.length || indices.some((index) => index > maxShards))
    return "shards holds a shard that does not exist";
  return undefined;
}
