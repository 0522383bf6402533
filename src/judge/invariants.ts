/**
 * Invariants: rules that can be judged on a single exchange, from the request, its answer and what is known of the
 * target. They are judged on every exchange that they apply to, whichever check made it.
 */
import type { RuleId } from "../specification/catalogue/index.js";
import type { Endpoint } from "../specification/endpoints.js";
import { groupBy } from "../specification/group-by.js";
import type { Invariant } from "./invariant.js";
import { listingInvariants } from "./listing-invariants.js";
import { marketInvariants } from "./market-invariants.js";
import { orderBookInvariants } from "./order-book-invariants.js";
import { orderListInvariants } from "./order-list-invariants.js";
import { resourceInvariants } from "./resource-invariants.js";
import { streamInvariants } from "./stream-invariants.js";
import { wireInvariants } from "./wire-invariants.js";

/** The invariants of an operation. */
export function invariantsOf(endpoint: Endpoint): readonly Invariant[] {
  return byEndpoint.get(endpoint) ?? [];
}

/** The invariants of a rule: one or more for each of its operations. */
export function invariantsFor(rule: RuleId): readonly Invariant[] {
  return invariants.filter((invariant) => invariant.rule === rule);
}

/** All invariants. */
export const invariants: readonly Invariant[] = [
  ...listingInvariants("GetAllPositions", "get-all-positions"),
  ...listingInvariants("GetAllOrders", "get-all-orders"),
  ...resourceInvariants,
  ...wireInvariants,
  ...orderListInvariants,
  ...streamInvariants,
  ...orderBookInvariants,
  ...marketInvariants,
];

const byEndpoint = groupBy(invariants, ({ endpoint }) => endpoint);
