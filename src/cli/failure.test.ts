import { describe, expect, test } from "vitest";
import { AccessDenied, TargetUnreachable } from "../subjects/inquiry.js";
import { ConfigurationError } from "../target/errors.js";
import { failureOf, UsageError, unknownName } from "./failure.js";

describe("an error that ends a command", () => {
  test.each([
    ["a misuse", new UsageError("there is no rule x"), ["error: there is no rule x"], 2],
    ["a wrong setting", new ConfigurationError(["seed: no", "rate: no"]), ["error: seed: no", "error: rate: no"], 2],
    [
      "nobody there",
      new TargetUnreachable("connect ECONNREFUSED"),
      ["the target cannot be reached: connect ECONNREFUSED"],
      3,
    ],
    ["a closed door", new AccessDenied("the target denies access"), ["the target denies access"], 3],
    ["no error at all", "boom\u001b", ["the harness broke: boom\\x1b"], 3],
  ])("from %s is said in plain lines", (_, error, lines, exitCode) => {
    expect(failureOf(error)).toEqual({ lines, exitCode });
  });

  test("keeps its stack when it is the harness's own", () => {
    const { lines, exitCode } = failureOf(new TypeError("x is not a function"));
    expect(exitCode).toBe(3);
    expect(lines.slice(0, 2)).toEqual(["the harness broke:", "TypeError: x is not a function"]);
    expect(lines.at(2)).toContain("failure.test");
  });
});

test("an unknown name is answered with the nearest, or with all when none is near", () => {
  expect(unknownName("mutant", "limt", ["limit", "offset"]).message).toBe(
    'there is no mutant "limt" (did you mean "limit"?)',
  );
  expect(unknownName("mutant", "zzzzzz", ["limit", "offset"]).message).toBe(
    'there is no mutant "zzzzzz" (known: limit, offset)',
  );
});
