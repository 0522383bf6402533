/** Writes the stubs of a new rule and prints the next steps. For maintainers: `npm run new-rule SECTION.NAME`. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { isRuleId } from "../specification/catalogue/index.js";
import { withRuleStubs } from "./rule-stubs.js";

const [id = ""] = process.argv.slice(2);
const [section, name] = id.split(".");
/** The suites of sections whose rules have another name. */
const suiteNames: Readonly<Record<string, string>> = {
  wire: "wire-conventions",
  selector: "market-selector",
  protocol: "headers",
  "order-ref": "order",
};
const suiteName = suiteNames[section ?? ""] ?? section;
const suite = readdirSync("suites").find((file) => file.endsWith(`-${suiteName}.check.ts`));
const files = {
  catalogue: `src/specification/catalogue/${section}.ts`,
  suite: `suites/${suite}`,
  mutants: `src/reference/mutants/${section}.ts`,
};
if (!section || !name) fail("usage: npm run new-rule SECTION.NAME, such as get-orders.market-filter");
if (suite === undefined || !Object.values(files).every((file) => existsSync(file)))
  fail(`"${section}" is not a section: it must have files of that name in suites, catalogue and mutants`);
if (isRuleId(id)) fail(`rule ${id} already exists`);

const texts = {
  catalogue: readFileSync(files.catalogue, "utf8"),
  suite: readFileSync(files.suite, "utf8"),
  mutants: readFileSync(files.mutants, "utf8"),
};
const stubs = withRuleStubs(id, texts);
for (const kind of ["catalogue", "suite", "mutants"] as const) writeFileSync(files[kind], stubs[kind]);
process.stdout.write(`Fill in what says TODO, in this order:
  ${files.catalogue}
  ${files.suite}, or a judge in src/judge/ and an invariant
  ${files.mutants}
Then: npm run accept && npx perp-conformance prove --rule ${id}
`);

function fail(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(2);
}
