import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";

/** The folders, those that know least first: each imports from itself and from those before it. */
const layers = [
  "files",
  "specification",
  "connect",
  "arbitraries",
  "judge",
  "config",
  "subjects",
  "exploration",
  "evidence",
  "engine",
  "suites",
  "report",
  "session",
  "statement",
  "power",
  "reference",
  "run",
  "dispute",
  "compare",
  "annotate",
  "prove",
  "scripts",
  "cli",
];

/** What a folder imports where that is less than all that lies before it. */
const only: Readonly<Record<string, readonly string[]>> = {
  connect: ["specification"],
  judge: ["connect", "specification"],
  reference: ["specification"],
  suites: ["arbitraries", "connect", "engine", "exploration", "judge", "specification", "subjects"],
};

/** The files with code that is not a test, and the folders that they import from. */
function importsOf(root: string): { readonly file: string; readonly folder: string }[] {
  return readdirSync(root, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !/\.(test|fixture)\.ts$/.test(file))
    .map((file) => join(root, file))
    .flatMap((file) =>
      [...readFileSync(file, "utf8").matchAll(/(?:from|import\() ?"(\.[^"]+)"/g)].map(([, to = ""]) => {
        const [top = "", folder = ""] = join(dirname(file), to).split("/");
        return { file, folder: top === "src" ? folder : top };
      }),
    );
}

test.each(layers)("%s/ imports only from what lies before it", (layer) => {
  const allowed = only[layer] ?? layers.slice(0, layers.indexOf(layer));
  const found = importsOf(layer === "suites" ? layer : `src/${layer}`);
  expect(found.filter(({ folder }) => folder !== layer && !allowed.includes(folder))).toEqual([]);
  if (layer !== "files") expect(found.length).toBeGreaterThan(0);
});

test("suites leave the making of requests to their support", () => {
  const found = importsOf("suites").filter(({ file }) => !file.startsWith(join("suites", "support")));
  expect(found.filter(({ folder }) => folder === "arbitraries" || folder === "exploration")).toEqual([]);
});

test("every folder of code has its place", () => {
  const folders = readdirSync("src", { withFileTypes: true }).filter((entry) => entry.isDirectory());
  expect(folders.map(({ name }) => name).toSorted()).toEqual(
    [...layers.filter((layer) => layer !== "suites"), "e2e"].toSorted(),
  );
});
