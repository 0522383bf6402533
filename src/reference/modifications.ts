import type { Modification } from "./modification.js";
import { mutants } from "./mutants/index.js";
import { variants } from "./variants/index.js";

export { mutants, variants };

/** The modification of a kind with this name; undefined when there is none. */
export function findModification(kind: Modification["kind"], name: string): Modification | undefined {
  const all: readonly Modification[] = kind === "mutant" ? mutants : variants;
  return all.find((modification) => modification.name === name);
}

/** Whether two names are of one modification; both absent is the reference server itself. */
export function isSameModification(one: ModificationName | undefined, other: ModificationName | undefined): boolean {
  return one?.kind === other?.kind && one?.name === other?.name;
}

type ModificationName = Pick<Modification, "kind" | "name">;
