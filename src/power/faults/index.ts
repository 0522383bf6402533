/** All fault templates, and the faults made from them on a platform. */
import { type Fault, type FaultTemplate, faultIn } from "../fault.js";
import type { ObservedPlatform } from "../platform.js";
import { everywhere, scopesOf } from "../scopes.js";
import { bookFaultTemplates } from "./books.js";
import { errorFaults } from "./errors.js";
import { formFaults } from "./forms.js";
import { listingFaults } from "./listings.js";
import { marketFaults } from "./markets.js";
import { resourceFaults } from "./resources.js";
import { streamFaultTemplates } from "./streams.js";

/** Every fault template. */
export const faultTemplates: readonly FaultTemplate[] = [
  ...formFaults,
  ...resourceFaults,
  ...listingFaults,
  ...bookFaultTemplates,
  ...marketFaults,
  ...streamFaultTemplates,
  ...errorFaults,
];

/** Selects the faults to plant. */
export interface FaultSelection {
  /** Determines which scope of a fault is picked. */
  readonly seed: number;
  /** Whether to plant each fault in all of its scopes instead of one. */
  readonly all: boolean;
}

/** The faults to plant into a platform's record: each everywhere, and in one or all of its scopes. */
export function faultsOn(platform: ObservedPlatform, { seed, all }: FaultSelection): readonly Fault[] {
  return faultTemplates.flatMap((template, index) => {
    const { scopes: names = [], onlyInScopes, operations } = template;
    const scopes = names.flatMap((name) => scopesOf(name, operations, platform));
    const one = scopes.length > 0 ? scopes[(seed + index) % scopes.length] : undefined;
    const chosen = all || onlyInScopes ? scopes : one ? [one] : [];
    return [...(onlyInScopes ? [] : [everywhere]), ...chosen].map((scope) => faultIn(template, scope, platform));
  });
}
