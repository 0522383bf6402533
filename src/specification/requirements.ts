import { hash } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { exactly } from "../files/exact.js";
import { byZod, type Format, readJsonFile } from "../files/read-json.js";
import { catalogue, catalogueDigest } from "./catalogue/index.js";
import { packageRoot } from "./package-root.js";
import type { Rule } from "./rule.js";

/**
 * The requirements for certification under one version of the catalogue. A released set never changes: rules added later
 * belong to a later set, and do not invalidate older certificates.
 */
export interface RequirementSet {
  readonly format: "perp-conformance/requirements";
  readonly formatVersion: 1 | 2;
  /** Version of the catalogue. */
  readonly version: string;
  /** Digest of the catalogue that the set was derived from. */
  readonly catalogueDigest: string;
  /** Ids of the mandatory rules, sorted. */
  readonly mandatory: readonly string[];
  /**
   * Ids of the mandatory rules about something that may be absent, sorted. A run that finds it absent everywhere need not
   * exercise them. Sets of format version 1 do not have this member.
   */
  readonly mayBeAbsent?: readonly string[];
  /** SHA-256, in hexadecimal, of the version, the catalogue digest and the ids, one per line. */
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

/** Current version of the catalogue; raised with every release that changes a rule. */
export const catalogueVersion = "1.1.0";

/** Derives the requirements from a catalogue: its mandatory rules. */
export function requirementsOf(version: string, rules: readonly Rule[] = catalogue): RequirementSet {
  const required = rules.filter(({ level }) => level === "mandatory");
  const idsOf = (selected: readonly Rule[]) => selected.map(({ id }) => id).sort();
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
    digest: requirementsDigest(set),
  };
}

/** The released set of a version, from `schemas/requirements`; undefined when this package has none. */
export function frozenRequirements(version: string): RequirementSet | undefined {
  const path = join(packageRoot, "schemas/requirements", `${version}.json`);
  if (!/^\d+\.\d+\.\d+$/.test(version) || !existsSync(path)) return undefined;
  return readJsonFile(path, requirementsFormat);
}

/** Computes the digest of a set. */
export function requirementsDigest({
  version,
  catalogueDigest,
  mandatory,
  mayBeAbsent = [],
}: Omit<RequirementSet, "format" | "formatVersion" | "digest">): string {
  const lines = [version, catalogueDigest, ...mandatory, ...mayBeAbsent.map((id) => `may be absent: ${id}`)];
  return hash("sha256", lines.join("\n"));
}

/** Whether a required rule is about something that may be absent, so that a run need not exercise it. */
export function mayBeAbsent(id: string, { mayBeAbsent: some = [] }: RequirementSet): boolean {
  return some.includes(id);
}
