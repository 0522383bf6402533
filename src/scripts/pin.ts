/**
 * Records which checks find which mutant, from the `matrix.json` of complete proofs, so that a check that loses an assertion
 * is noticed. With several proofs, only detections in all of them are pinned. For maintainers: `npm run pin`.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { detectionPower } from "../prove/detection-power.js";
import type { Proof } from "../prove/prove.js";
import { mutants } from "../reference/mutants/index.js";
import { loadSuites } from "../session/suites.js";

const files = process.argv.slice(2);
const proofs = (files.length > 0 ? files : ["reports/proof/matrix.json"]).map(
  (file) => JSON.parse(readFileSync(file, "utf8")) as Proof,
);
if (!proofs.every(({ complete }) => complete)) throw new Error("only a complete proof can be pinned");

// Timing and changing data depend on machine load, and exploration on the requests drawn. Detections by such checks are not
// pinned; the rules cover them.
const suites = await loadSuites();
const explored: ReadonlySet<string> = new Set(["invariant", "relation"]);
const drawn =
  /: (in every combination|in every market|each market of a wallet|(open orders )?of every wallet|pages are parts of the whole|the same on each page)$/;
const steady = new Set(
  suites.flatMap(({ lane, checks }) =>
    lane === "bulk"
      ? checks.filter(({ kind, name }) => !explored.has(kind) && !drawn.test(name)).map((check) => check.name)
      : [],
  ),
);

const [first, ...others] = proofs.map(
  ({ matrix }) => new Map(matrix.mutants.map(({ name, foundBy }) => [name, foundBy])),
);
const moving = new Set(mutants.filter(({ server }) => server?.churn).map(({ name }) => name));
const detections: Record<string, string[]> = {};
for (const [mutant, foundBy] of [...(first ?? [])].sort(([a], [b]) => a.localeCompare(b))) {
  if (moving.has(mutant)) continue;
  const agreed = foundBy.filter(
    (check) => steady.has(check) && others.every((other) => other.get(mutant)?.includes(check)),
  );
  if (agreed.length > 0) detections[mutant] = agreed;
}
const latest = proofs.at(-1);
if (!latest || latest.matrix.problems.some((problem) => !/no longer finds/.test(problem))) {
  throw new Error("only a proof that holds can be pinned");
}
write("src/report/published-power.json", detectionPower(latest.matrix));
write("src/prove/detections.json", detections);

function write(file: string, data: unknown): void {
  writeFileSync(file, `${JSON.stringify(data, undefined, 2)}\n`);
}
