/** All faults: templates, and each of them in its scopes on a platform. */
import { type Fault, type FaultTemplate, faultIn } from "../fault.js";
import type { Platform } from "../platform.js";
import { everywhere, scopesOf } from "../scopes.js";
import { bookFaultTemplates } from "./books.js";
import { errorFaults } from "./errors.js";
import { formFaults } from "./forms.js";
import { listingFaults } from "./listings.js";
import { marketFaults } from "./markets.js";
import { resourceFaults } from "./resources.js";
import { streamFaultTemplates } from "./streams.js";

/** Every kind of fault that answers can show. */
export const faultTemplates: readonly FaultTemplate[] = [
  ...formFaults,
  ...resourceFaults,
  ...listingFaults,
  ...bookFaultTemplates,
  ...marketFaults,
  ...streamFaultTemplates,
  ...errorFaults,
];

/** Which of the faults are planted. */
export interface Choice {
  /** Decides in which of its scopes a fault is planted. */
  readonly seed: number;
  /** In each of its scopes. */
  readonly all: boolean;
}

/** The faults that are planted into the record of a platform: each everywhere, and in one of its scopes or in all of them. */
export function faultsOn(platform: Platform, { seed, all }: Choice): readonly Fault[] {
  return faultTemplates.flatMap((template, index) => {
    const { scopes: names = [], onlyInScopes, operations } = template;
    const scopes = names.flatMap((name) => scopesOf(name, operations, platform));
    const one = scopes.length > 0 ? scopes[(seed + index) % scopes.length] : undefined;
    const chosen = all || onlyInScopes ? scopes : one ? [one] : [];
    return [...(onlyInScopes ? [] : [everywhere]), ...chosen].map((scope) => faultIn(template, scope, platform));
  });
}
