import { expect, test } from "vitest";
import { errorAnswer, failure, success } from "./answers.fixture.js";
import { Inconclusive, TransportTrouble, Unimplemented } from "./signals.js";
import { usable } from "./usable.js";

test("keeps the answers that brought a body", () => {
  const answer = success({ n: 1 });
  expect(usable([errorAnswer("internal"), answer])).toEqual([answer]);
  expect(usable([])).toEqual([]);
});

test("ends the check when there is no body at all", () => {
  expect(() => usable([errorAnswer("internal")])).toThrow(Inconclusive);
  expect(() => usable([errorAnswer("internal")])).toThrow(/GetAllPositions gave the error internal/);
  expect(() => usable([errorAnswer("unimplemented")])).toThrow(Unimplemented);
  expect(() => usable([failure("timeout")])).toThrow(TransportTrouble);
});
