import type { Mutant } from "../departure.js";
import { positionsIn, raw } from "../json.js";

/** Servers that break one of the wire conventions of §1. */
export const wire: readonly Mutant[] = [
  {
    kind: "mutant",
    name: "position-id-as-number",
    summary: "Positions carry their positionId as a JSON number.",
    breaks: "wire.int64-as-string",
    response: (_endpoint, json) => {
      for (const position of positionsIn(json)) position.positionId = raw(String(position.positionId));
      return json;
    },
  },
];
