import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { exactly } from "../files/exact.js";
import { byZod, type Format, readJsonFile } from "../files/read-json.js";
import { catalogue, catalogueDigest } from "./catalogue/index.js";
import { packageRoot } from "./package-root.js";
import type { Rule } from "./rule.js";

/**
 * What an implementation had to show to be certified under one version of the catalogue. A set is never changed once it was
 * released: a rule that is added later belongs to a later set, and fails no older certificate.
 */
export interface RequirementSet {
  readonly format: "perp-conformance/requirements";
  readonly formatVersion: 1 | 2;
  /** Version of the catalogue. */
  readonly version: string;
  /** Digest of the catalogue that the set was taken from. */
  readonly catalogueDigest: string;
  /** Ids of the mandatory rules, sorted. */
  readonly mandatory: readonly string[];
  /**
   * Those of them that speak of something that may be absent, sorted: a run in which it is absent wherever it could be need not
   * exercise them. The sets of format version 1 have none.
   */
  readonly mayBeAbsent?: readonly string[];
  /** SHA-256 of the version, the catalogue's digest and the ids, a line each, in hexadecimal. */
  readonly digest: string;
}

const requirementsFormat: Format<RequirementSet> = {
  name: "perp-conformance/requirements",
  versions: [1, 2],
  check: byZod(
    exactly<RequirementSet>({
      format: z.literal("perp-conformance/requirements"),
      formatVersion: z.union([z.literal(1), z.literal(2)]),
      version: z.string(),
      catalogueDigest: z.string(),
      mandatory: z.array(z.string()),
      mayBeAbsent: z.exactOptional(z.array(z.string())),
      digest: z.string(),
    }),
  ),
  maxBytes: 1024 * 1024,
};

/** Version of the catalogue as it is now: raised with every release that changes a rule. */
export const catalogueVersion = "1.1.0";

/** The requirements of a catalogue: its mandatory rules. */
export function requirementsOf(version: string, rules: readonly Rule[] = catalogue): RequirementSet {
  const required = rules.filter(({ level }) => level === "mandatory");
  const idsOf = (some: readonly Rule[]) => some.map(({ id }) => id).sort();
  const set = {
    version,
    catalogueDigest: catalogueDigest(rules),
    mandatory: idsOf(required),
    mayBeAbsent: idsOf(required.filter(({ mayBeAbsent }) => mayBeAbsent !== undefined)),
  };
  return {
    format: "perp-conformance/requirements",
    formatVersion: 2,
    ...set,
    digest: digestOf(set),
  };
}

/** The frozen set of a version, from `schemas/requirements`; undefined when this package has none. */
export function frozenRequirements(version: string): RequirementSet | undefined {
  const path = join(packageRoot, "schemas/requirements", `${version}.json`);
  if (!/^\d+\.\d+\.\d+$/.test(version) || !existsSync(path)) return undefined;
  return readJsonFile(path, requirementsFormat);
}

/** The digest of a set, from what it holds. */
export function digestOf({
  version,
  catalogueDigest,
  mandatory,
  mayBeAbsent = [],
}: Omit<RequirementSet, "format" | "formatVersion" | "digest">): string {
  const lines = [version, catalogueDigest, ...mandatory, ...mayBeAbsent.map((id) => `may be absent: ${id}`)];
  return createHash("sha256").update(lines.join("\n")).digest("hex");
}

/** Whether a run need not exercise a required rule: it speaks of something that may be absent. */
export function mayBeAbsent(id: string, { mayBeAbsent: some = [] }: RequirementSet): boolean {
  return some.includes(id);
}
