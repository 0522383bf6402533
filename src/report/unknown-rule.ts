import { catalogue } from "../specification/catalogue/index.js";
import { UsageError, unknownName } from "./failure.js";

/** The error for a rule that the catalogue does not have. It suggests the nearest ids, or says where they are listed. */
export function unknownRule(id: string): UsageError {
  const { message } = unknownName(
    "rule",
    id,
    catalogue.map((rule) => rule.id),
  );
  return new UsageError(`${message}; \`perp-conformance rules\` lists them`);
}
