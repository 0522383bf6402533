import { join } from "node:path";
import { z } from "zod";
import { exactly } from "../files/exact.js";
import { byZod, type Format, readJsonFile } from "../files/read-json.js";
import { packageRoot } from "./package-root.js";

/** A sentence, table row, heading or label of the specification, without its text. */
export interface KnownStatement {
  /** Its section; headings that do not start a section of the catalogue have a section of their own, such as `§2`. */
  readonly section: string;
  /** First 16 hexadecimal digits of the SHA-256 of its text, with whitespace, quotation marks and dashes normalized. */
  readonly digest: string;
  /** The words of it that rules or exclusions quote. */
  readonly quotes: readonly string[];
  /** True for a heading, a table header or a label, which states nothing. */
  readonly structure?: true;
}

/**
 * An index of the statements in one version of the specification. It is enough to tell which of them a document contains and
 * which of their words the catalogue quotes, without containing the document itself.
 */
export interface StatementIndex {
  readonly format: "perp-conformance/statements";
  readonly formatVersion: 1;
  /** Version of the specification. */
  readonly version: string;
  /** In the order of the specification. */
  readonly statements: readonly KnownStatement[];
}

const indexFormat: Format<StatementIndex> = {
  name: "perp-conformance/statements",
  versions: [1],
  check: byZod(
    exactly<StatementIndex>({
      format: z.literal("perp-conformance/statements"),
      formatVersion: z.literal(1),
      version: z.string(),
      statements: z.array(
        exactly<KnownStatement>({
          section: z.string(),
          digest: z.string().regex(/^[0-9a-f]{16}$/),
          quotes: z.array(z.string()),
          structure: z.exactOptional(z.literal(true)),
        }),
      ),
    }),
  ),
  maxBytes: 4 * 1024 * 1024,
};

/** The version of the specification that the catalogue covers (§9). */
export const specificationVersion = "1.0.0";

/** The file with the statement index of that version. */
export const statementsFile = join(packageRoot, "schemas/statements", `${specificationVersion}.json`);

/** Reads the statement index of the specification version that the catalogue covers. */
export function knownStatements(): StatementIndex {
  return readJsonFile(statementsFile, indexFormat);
}
