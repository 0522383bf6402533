import { combined, namesIn } from "./combined.js";
import type { Modification } from "./modification.js";
import { mutants } from "./mutants/index.js";
import { variants } from "./variants/index.js";

export { mutants, variants };

/** Finds a modification by kind and name. The name may be that of `combined` variants. Undefined when there is none. */
export function findModification(kind: Modification["kind"], name: string): Modification | undefined {
  if (kind === "mutant") return mutants.find((mutant) => mutant.name === name);
  const members = namesIn(name).map((each) => variants.find((variant) => variant.name === each));
  return members.every((variant) => variant !== undefined) ? combined(members) : undefined;
}

/** Whether two names denote the same modification. Two absent names both mean the unmodified reference server. */
export function isSameModification(one: ModificationName | undefined, other: ModificationName | undefined): boolean {
  return one?.kind === other?.kind && one?.name === other?.name;
}

type ModificationName = Pick<Modification, "kind" | "name">;
