import { expect, test } from "vitest";
import { sessionOf } from "../session/session.fixture.js";
import { sharesOf, withShare } from "./shares.js";

test("the checks that wait for messages have the smaller share, and all of it where there are no others", () => {
  expect(sharesOf({ timing: 1, bulk: 1 })).toEqual({ timing: 0.25, bulk: 0.75 });
  expect(sharesOf({ timing: 1, bulk: 2 })).toEqual({ timing: 0.25, bulk: 0.375 });
  expect(sharesOf({ timing: 1, bulk: 0 })).toMatchObject({ timing: 1 });
  expect(sharesOf({ timing: 0, bulk: 2 })).toMatchObject({ bulk: 0.5 });
});

test("a worker sends at least one request at a time, and its share of a rate", () => {
  const session = sessionOf();
  const { target } = withShare({ ...session, target: { ...session.target, concurrency: 3, rate: 20 } }, 0.25);
  expect(target).toMatchObject({ concurrency: 1, rate: 5 });
  expect(withShare(session, 0.75).target.concurrency).toBe(12);
  expect(withShare(session, 0.75).target.rate).toBeUndefined();
});
