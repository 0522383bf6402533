import { createHash } from "node:crypto";
import {
  appendFileSync,
  copyFileSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join, relative } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { packed } from "../evidence/pack.js";
import type { Random } from "../reference/random.js";

/** What stands outside of the folder, and must be found nowhere else. */
export const CANARY = "CANARY-a-file-of-somebody-else";

/** What names of files and other texts are replaced by. */
const hostileTexts = (outside: string): readonly string[] => [
  "../../outside/secret.txt",
  "bodies/../../../outside/secret.txt",
  `${outside}/secret.txt`,
  "/dev/zero",
  "/proc/self/environ",
  `bodies/${"0".repeat(64)}.gz`,
  "__proto__",
  "constructor",
  "",
  "\u0000",
  "\ud800",
  "x".repeat(10_000),
  "1e400",
];

const hostileValues = [
  null,
  true,
  -1,
  0,
  1.5,
  1e308,
  2 ** 53,
  [],
  {},
  [[]],
  { file: "/dev/zero", characters: 1 },
] as const;

/** One way to alter a folder. */
type Alteration = (dir: string, random: Random, outside: string) => void;

/** The ways to alter a folder that holds a record, by name. */
export const alterations: Readonly<Record<string, Alteration>> = {
  "bits flipped": (dir, random) => {
    const path = anyFile(dir, random);
    const bytes = readFileSync(path);
    for (let flips = random.integer(1, 3); flips > 0 && bytes.length > 0; flips--) {
      const at = random.integer(0, bytes.length - 1);
      bytes[at] = (bytes[at] ?? 0) ^ (1 << random.integer(0, 7));
    }
    writeFileSync(path, bytes);
  },
  "cut off": (dir, random) => {
    const path = anyFile(dir, random);
    truncateSync(path, random.integer(0, Math.max(0, statSync(path).size - 1)));
  },
  "something appended": (dir, random) =>
    appendFileSync(anyFile(dir, random), random.pick(["\n", "{}\n", "}{", " ", "\u0000"])),
  "a file removed": (dir, random) => rmSync(anyFile(dir, random)),
  "a file added": (dir, random) => copyFileSync(anyFile(dir, random), newName(dir, random)),
  "lines swapped": (dir, random) =>
    inLines(dir, random, (lines) => {
      const [one, other] = [random.integer(0, lines.length - 1), random.integer(0, lines.length - 1)];
      [lines[one], lines[other]] = [lines[other] ?? "", lines[one] ?? ""];
    }),
  "a line repeated": (dir, random) => inLines(dir, random, (lines) => lines.push(random.pick(lines))),
  "a line removed": (dir, random) =>
    inLines(dir, random, (lines) => lines.splice(random.integer(0, lines.length - 1), 1)),
  "a path in a line": (dir, random, outside) =>
    inLines(dir, random, (lines) => {
      const at = random.integer(0, lines.length - 1);
      const path = JSON.stringify(random.pick(hostileTexts(outside)));
      const line = lines[at] ?? "";
      lines[at] = line.includes('"file":')
        ? line.replace(/"file":"[^"]*"/, () => `"file":${path}`)
        : line.replace(
            /"body":"(?:[^"\\]|\\.)*"/,
            () => `"body":{"file":${path},"characters":${random.integer(0, 99)}}`,
          );
    }),
  "a size in a line": (dir, random) =>
    inLines(dir, random, (lines) => {
      const at = random.integer(0, lines.length - 1);
      lines[at] = (lines[at] ?? "").replace(
        /"characters":\d+/,
        `"characters":${random.pick([0, 1, 20_000_000, 2 ** 40])}`,
      );
    }),
  "a value in JSON": (dir, random, outside) => {
    const path = random.pick(filesOf(dir).filter((file) => /\.json$/.test(file)));
    writeFileSync(path, `${JSON.stringify(withAnother(JSON.parse(readFileSync(path, "utf8")), random, outside))}\n`);
  },
  "a value in a line": (dir, random, outside) =>
    inLines(dir, random, (lines) => {
      const at = random.integer(0, lines.length - 1);
      lines[at] = JSON.stringify(withAnother(JSON.parse(lines[at] ?? ""), random, outside));
    }),
  "a different verdict": (dir) => {
    const path = join(dir, "results.json");
    const text = readFileSync(path, "utf8");
    writeFileSync(path, text.replaceAll('"verdict": "fail"', '"verdict": "pass"').replaceAll('"fail": 1', '"fail": 0'));
  },
  "a link in the place of a file": (dir, random, outside) => {
    const path = anyFile(dir, random);
    const moved = join(outside, "moved");
    renameSync(path, moved);
    symlinkSync(random.pick([moved, join(outside, "secret.txt"), "/dev/zero", path, join(dir, "nowhere")]), path);
  },
  "a link added": (dir, random, outside) => symlinkSync(join(outside, "secret.txt"), newName(dir, random)),
  "a link in the place of a folder": (dir, random, outside) => {
    const path = join(dir, random.pick(["evidence", "evidence/bodies"]));
    const moved = join(outside, "moved");
    renameSync(path, moved);
    symlinkSync(moved, path);
  },
  "a folder in the place of a file": (dir, random) => {
    const path = anyFile(dir, random);
    rmSync(path);
    mkdirSync(path);
  },
  "another body": (dir, random) => {
    const bodies = filesOf(dir).filter((file) => file.includes("bodies"));
    const content = random.pick(["{}", "\u0000".repeat(2_000_000), '{"orders":[]}', "[".repeat(100_000)]);
    writeFileSync(random.pick(bodies), gzipSync(content));
  },
};

/** Lists all files of the evidence in a new seal, whatever they are, as whoever alters a record would. */
export function sealAnew(dir: string, updateResults: boolean): void {
  const evidence = join(dir, "evidence");
  const seal = join(evidence, "seal.json");
  const files: Record<string, unknown> = {};
  for (const path of filesOf(evidence)) {
    if (path === seal || !statSync(path, { throwIfNoEntry: false })?.isFile()) continue;
    const content = readFileSync(path);
    const unpackedBytes = content.length >= 4 ? content.readUInt32LE(content.length - 4) : 0;
    const isBody = path.endsWith(".gz");
    files[relative(evidence, path)] = {
      sha256: sha256(content),
      bytes: content.length,
      ...(isBody && { unpackedBytes }),
    };
  }
  const text = JSON.stringify({ format: "perp-conformance/evidence", formatVersion: 2, files });
  writeFileSync(seal, text);
  const results = join(dir, "results.json");
  if (!updateResults || !lstatSync(results, { throwIfNoEntry: false })?.isFile()) return;
  const changed = readFileSync(results, "utf8").replace(/("digest": ?")[0-9a-f]{64}/, `$1${sha256(text)}`);
  writeFileSync(results, changed);
}

/** What is in a folder: each entry with its kind and a digest of its content. */
export function folderContent(dir: string): ReadonlyMap<string, string> {
  const entries = readdirSync(dir, { recursive: true, encoding: "utf8" }).sort();
  return new Map(
    entries.map((name) => {
      const path = join(dir, name);
      const stats = lstatSync(path);
      if (stats.isSymbolicLink()) return [name, `-> ${readlinkSync(path)}`];
      return [name, stats.isFile() ? sha256(readFileSync(path)) : "folder"];
    }),
  );
}

function filesOf(dir: string): string[] {
  const entries = readdirSync(dir, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

/** A file of the record, its results or its statement: what else lies beside is not read. */
function anyFile(dir: string, random: Random): string {
  return random.pick(filesOf(dir).filter((file) => /evidence|results\.json|statement\.json/.test(file)));
}

function newName(dir: string, random: Random): string {
  const hex = Array.from({ length: 64 }, () => random.integer(0, 15).toString(16)).join("");
  const names = [
    "exchanges-2.ndjson",
    "exchanges-2.ndjson.gz",
    "exchanges-worker-1.ndjson.bak",
    "exchanges-..ndjson",
    `bodies/${hex}.gz`,
    `bodies/${hex}.gz.1-1.tmp`,
    "seal.json.1-1.tmp",
    ".hidden",
  ];
  return join(dir, "evidence", random.pick(names));
}

function inLines(dir: string, random: Random, change: (lines: string[]) => void): void {
  const path = random.pick(filesOf(dir).filter((file) => file.endsWith(".ndjson.gz")));
  const lines = gunzipSync(readFileSync(path)).toString("utf8").trimEnd().split("\n");
  change(lines);
  writeFileSync(path, Buffer.concat([...packed([Buffer.from(`${lines.join("\n")}\n`)])]));
}

/** A JSON value in which one is another, or has another name. */
function withAnother(value: unknown, random: Random, outside: string): unknown {
  const isLeaf = typeof value !== "object" || value === null || Object.keys(value).length === 0;
  if (isLeaf || random.chance(0.1)) return random.pick([...hostileTexts(outside), ...hostileValues]);
  const name = random.pick(Object.keys(value));
  if (Array.isArray(value))
    return value.map((each, index) => (String(index) === name ? withAnother(each, random, outside) : each));
  const members = Object.entries(value);
  if (random.chance(0.1)) return Object.fromEntries(members.filter(([each]) => each !== name));
  if (random.chance(0.1)) return { ...value, [random.pick(["__proto__", "constructor", "x"])]: {} };
  return Object.fromEntries(
    members.map(([each, old]) => [each, each === name ? withAnother(old, random, outside) : old]),
  );
}

function sha256(content: string | Buffer): string {
  return createHash("sha256").update(content).digest("hex");
}
