/**
 * An error code in its wire form, however it was spelled: `INVALID_ARGUMENT`, `invalidArgument` and `invalid-argument` are
 * `invalid_argument`. So a code in capitals breaks only the rule on that (E1).
 */
export function inWireForm(code: string): string {
  return code
    .trim()
    .replace(/([a-z])([A-Z])/g, "$1_$2")
    .replace(/[\s-]+/g, "_")
    .toLowerCase();
}
