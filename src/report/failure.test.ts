import { describe, expect, test } from "vitest";
import { ConfigurationError } from "../config/errors.js";
import { RecordRefused } from "../evidence/folder.js";
import { FileRefused } from "../files/refused.js";
import { writeWhole, writing } from "../files/write.js";
import { KeyProblem } from "../statement/keys.js";
import { AccessDenied, TargetUnreachable } from "../subjects/recognition.js";
import { commandFailureOf, UsageError, unknownName } from "./failure.js";

describe("an error that ends a command", () => {
  test.each([
    ["a misuse", new UsageError("there is no rule x"), ["error: there is no rule x"], 2],
    ["a wrong key", new KeyProblem("the key x is of type rsa"), ["error: the key x is of type rsa"], 2],
    ["a wrong setting", new ConfigurationError(["seed: no", "rate: no"]), ["error: seed: no", "error: rate: no"], 2],
    [
      "nobody there",
      new TargetUnreachable("connect ECONNREFUSED"),
      ["the target cannot be reached: connect ECONNREFUSED"],
      3,
    ],
    ["a closed door", new AccessDenied("the target denies access"), ["the target denies access"], 3],
    ["a file of others", new FileRefused("x is a symbolic link"), ["x is a symbolic link"], 3],
    ["a record of others", new RecordRefused("x was altered"), ["x was altered"], 3],
    ["no error at all", "boom\u001b", ["the harness broke: boom\\x1b"], 3],
  ])("from %s is said in plain lines", (_, error, lines, exitCode) => {
    expect(commandFailureOf(error)).toEqual({ lines, exitCode });
  });

  test.each([
    ["EISDIR", "/a/b: it is a folder (EISDIR)"],
    ["EADDRNOTAVAIL", "/a/b: address not available (EADDRNOTAVAIL)"],
  ])("from the system is one line that names the path (%s)", (code, line) => {
    const error = Object.assign(new Error(`${code}: words of the system`), { code, syscall: "open", path: "/a/b" });
    expect(commandFailureOf(error)).toEqual({ lines: [`error: ${line}`], exitCode: 3 });
  });

  test("of a path that cannot be written is the user's, and of a disk that takes no more is not", async () => {
    const failure = async (path: string) =>
      commandFailureOf(await writeWhole(path, "").catch((error: unknown) => error));
    expect(await failure("/nowhere/at/all")).toEqual({
      lines: ["error: cannot write /nowhere/at/all: its folder does not exist (ENOENT)"],
      exitCode: 2,
    });
    const full = Object.assign(new Error("ENOSPC: no space left on device, write"), {
      code: "ENOSPC",
      syscall: "write",
    });
    const told = await writing("/a/b", () => Promise.reject(full)).catch((error: unknown) => error);
    expect(commandFailureOf(told)).toEqual({
      lines: ["error: cannot write /a/b: no space is left on the disk (ENOSPC)"],
      exitCode: 3,
    });
  });

  test("says where the harness broke only to those who ask", () => {
    const error = new TypeError("x is not a function:\n\n  x()");
    const line = "the harness broke: TypeError: x is not a function (--verbose shows where)";
    expect(commandFailureOf(error, false)).toEqual({ lines: [line], exitCode: 3 });
    expect(commandFailureOf(error, true).lines.slice(0, 2)).toEqual([line, "TypeError: x is not a function:"]);
    expect(commandFailureOf(error, true).lines.join("\n")).toContain("failure.test");
  });
});

test("an unknown name is answered with the nearest, or with all when none is near", () => {
  expect(unknownName("mutant", "limt", ["limit", "offset"]).message).toBe(
    'there is no mutant "limt" (did you mean "limit"?)',
  );
  expect(unknownName("mutant", "zzzzzz", ["limit", "offset"]).message).toBe(
    'there is no mutant "zzzzzz" (known: limit, offset)',
  );
  expect(unknownName("rule", "limit.a", ["limit.below", "limit.above-cap"]).message).toBe(
    'there is no rule "limit.a" (did you mean "limit.above-cap"?)',
  );
  expect(unknownName("rule", "limit", ["offset", "limit.below", "limit.above-cap"]).message).toBe(
    'there is no rule "limit" (the nearest are limit.below, limit.above-cap)',
  );
  const many = Array.from({ length: 40 }, (_, index) => `limit-${index}`);
  expect(unknownName("mutant", "limes-17-x", many).message).toMatch(
    /\(the nearest are limit-17, limit-\d+, limit-\d+\)$/,
  );
  expect(unknownName("mutant", "zzzzzz", many).message).toMatch(/\(and none of the 40 is like it\)$/);
});
