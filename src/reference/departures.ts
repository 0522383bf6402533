import type { Departure } from "./departure.js";
import { mutants } from "./mutants/index.js";
import { variants } from "./variants/index.js";

export { mutants, variants };

/** The departure of a kind with this name; undefined when there is none. */
export function findDeparture(kind: Departure["kind"], name: string): Departure | undefined {
  const all: readonly Departure[] = kind === "mutant" ? mutants : variants;
  return all.find((departure) => departure.name === name);
}
