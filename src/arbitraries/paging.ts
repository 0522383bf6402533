import fc from "fast-check";
import { int32Max, pageLimitMax } from "../spec/limits.js";

/** Page sizes that are taken as they are: 1 to 1000, the edges of the documented numbers more often (§4.1, §4.3). */
export const pageLimits: fc.Arbitrary<number> = fc.oneof(
  { weight: 2, arbitrary: fc.constantFrom(1, 2, 49, 50, 51) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 120 }) },
  { weight: 1, arbitrary: fc.constantFrom(500, 501, 999, pageLimitMax) },
);

/** Page sizes above the cap, up to the greatest int32 (§7: never an error). */
export const pageLimitsAboveCap: fc.Arbitrary<number> = fc.oneof(
  fc.constantFrom(pageLimitMax + 1, 2 * pageLimitMax, 65_536, int32Max),
  fc.integer({ min: pageLimitMax + 1, max: int32Max }),
);
