/**
 * Shrinks the compiled package before packing: strips comments and whitespace from code, shortens its syntax, and keeps only
 * the type declarations reachable from `import "perp-conformance"`. Function names stay, so that `--verbose` still shows
 * where the harness failed. The only argument is the folder; default `dist`.
 */
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { transformSync } from "esbuild";

const dist = process.argv[2] ?? "dist";

/** The declaration files reachable from one, including itself. */
function reachable(entry: string, found = new Set<string>()): Set<string> {
  if (found.has(entry) || !existsSync(entry)) return found;
  found.add(entry);
  const imports = readFileSync(entry, "utf8").matchAll(/(?:from |import\()"(\.[^"]+)\.js"/g);
  for (const [, path = ""] of imports) reachable(join(dirname(entry), `${path}.d.ts`), found);
  return found;
}

const files = readdirSync(dist, { recursive: true }).map((name) => join(dist, String(name)));
const types = reachable(join(dist, "src/index.d.ts"));
for (const file of files) {
  if (file.endsWith(".d.ts")) {
    if (!types.has(file)) rmSync(file);
  } else if (file.endsWith(".js")) {
    const { code } = transformSync(readFileSync(file, "utf8"), {
      minifySyntax: true,
      minifyWhitespace: true,
      legalComments: "none",
    });
    writeFileSync(file, code);
  }
}
