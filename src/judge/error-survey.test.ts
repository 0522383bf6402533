import { expect, test } from "vitest";
import { codesInWords, codesSeen } from "./error-survey.js";
import { answered, refused } from "./whole-answer.fixture.js";

const answers = [refused("invalid_argument"), refused("teapot", 418), answered("{}"), refused("invalid_argument")];

test("each code is seen once, with its status beside Connect's own", () => {
  expect(codesSeen(answers)).toEqual([
    { code: "invalid_argument", status: 400, mapped: 400, count: 2 },
    { code: "teapot", status: 418, count: 1 },
  ]);
});

test("codes are counted, and what is no Connect error", () => {
  expect(codesInWords(answers)).toBe("invalid_argument (2), teapot (1), no Connect error (1)");
  expect(codesInWords([refused("not_found")])).toBe("not_found (1)");
});
