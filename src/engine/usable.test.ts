import { expect, test } from "vitest";
import { connectError, failure, success } from "./answers.fixture.js";
import { Inconclusive, TransportTrouble, Unimplemented } from "./signals.js";
import { usable } from "./usable.js";

test("keeps the answers that brought a body", () => {
  const answer = success({ n: 1 });
  expect(usable([connectError("internal"), answer])).toEqual([answer]);
  expect(usable([])).toEqual([]);
});

test("ends the check when there is no body at all", () => {
  expect(() => usable([connectError("internal")])).toThrow(Inconclusive);
  expect(() => usable([connectError("internal")])).toThrow(/GetAllPositions gave the error internal/);
  expect(() => usable([connectError("unimplemented")])).toThrow(Unimplemented);
  expect(() => usable([failure("timeout")])).toThrow(TransportTrouble);
});
