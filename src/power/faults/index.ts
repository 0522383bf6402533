/** All faults: templates, and each of them in its scopes on a platform. */
import type { Fault, FaultTemplate } from "../fault.js";
import { faultIn } from "../fault.js";
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

/** The faults that are planted into the record of a platform: each template everywhere and in each of its scopes. */
export function faultsOn(platform: Platform): readonly Fault[] {
  return faultTemplates.flatMap((template) => {
    const scopes = (template.scopes ?? []).flatMap((name) => scopesOf(name, template.operations, platform));
    return [...(template.onlyInScopes ? [] : [everywhere]), ...scopes].map((scope) =>
      faultIn(template, scope, platform),
    );
  });
}
