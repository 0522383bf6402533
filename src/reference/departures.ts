import type { Departure } from "./departure.js";
import { mutants } from "./mutants/index.js";
import { variants } from "./variants/index.js";

export { mutants, variants };

/** The departure of a kind with this name; undefined when there is none. */
export function findDeparture(kind: Departure["kind"], name: string): Departure | undefined {
  const all: readonly Departure[] = kind === "mutant" ? mutants : variants;
  return all.find((departure) => departure.name === name);
}

/** Whether two names are of one departure; both absent is the reference server itself. */
export function isSameDeparture(one: DepartureName | undefined, other: DepartureName | undefined): boolean {
  return one?.kind === other?.kind && one?.name === other?.name;
}

type DepartureName = Pick<Departure, "kind" | "name">;
