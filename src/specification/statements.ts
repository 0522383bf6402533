import { join } from "node:path";
import { z } from "zod";
import { exactly } from "../files/exact.js";
import { byZod, type Format, readJsonFile } from "../files/read-json.js";
import { packageRoot } from "./package-root.js";

/** A sentence, row, heading or label of the specification, without its text. */
export interface KnownStatement {
  /** Where it stands; headings that open no section of the catalogue have a section of their own, such as `§2`. */
  readonly section: string;
  /** Names the text: the first 16 hexadecimal digits of its SHA-256, blanks, quotation marks and dashes made plain. */
  readonly digest: string;
  /** Words of it that rules or exclusions quote. */
  readonly quotes: readonly string[];
  /** A heading, the head of a table, or a label: it states nothing. */
  readonly structure?: true;
}

/**
 * What one version of the specification consists of: enough to tell which of its sentences are in a document and which words of them
 * the catalogue rests on, and not the document.
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

/** The version of the specification that the catalogue is about (§9). */
export const specificationVersion = "1.0.0";

/** Where the statements of a version are listed. */
export function statementsFile(version: string = specificationVersion): string {
  return join(packageRoot, "schemas/statements", `${version}.json`);
}

/** The statements of the specification that the catalogue is about. */
export function knownStatements(): StatementIndex {
  return readJsonFile(statementsFile(), indexFormat);
}
