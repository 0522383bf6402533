import { unknown } from "../config/errors.js";
import { catalogue } from "../specification/catalogue/index.js";
import { UsageError } from "./failure.js";

/** The error for a rule that the catalogue does not have. It suggests the nearest ids, or says where they are listed. */
export function unknownRule(id: string): UsageError {
  const ids = catalogue.map((rule) => rule.id);
  return new UsageError(`${unknown("rule", id, ids)}; \`perp-conformance rules\` lists them`);
}
