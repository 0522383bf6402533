import { noSuch } from "../config/errors.js";
import { catalogue } from "../specification/catalogue/index.js";
import { UsageError, unknownName } from "./failure.js";

/** The error for a rule that the catalogue does not have. It suggests the nearest ids, or says where they are listed. */
export function unknownRule(id: string): UsageError {
  const ids = catalogue.map((rule) => rule.id);
  return new UsageError(`${noSuch("rule", id, ids)}; \`perp-conformance rules\` lists them`);
}

/** The error for a user rule that is not among the known ones; none are known if no suites were named. */
export function unknownOwnRule(id: string, known: readonly string[]): UsageError {
  if (known.length > 0) return unknownName("rule of your own", id, known);
  return new UsageError(`"${id}" is a rule of your own: give the file of its suite with --suites`);
}
