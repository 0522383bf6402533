import { describe, expect, test } from "vitest";
import { type PositionEndpoint, shownPositions } from "./located-rows.js";
import { positionChangesAgree } from "./position-changes.js";
import { positionJson } from "./rows.fixture.js";
import type { PositionSighting } from "./stale.js";

/** What an operation lists at a time, in seconds: positions by their ids, such as `7 8`. */
function listed(endpoint: PositionEndpoint, seconds: number, ids: string): PositionSighting {
  const positions = ids.split(" ").flatMap((positionId) => (positionId === "" ? [] : [positionJson({ positionId })]));
  const at = 1_000 * seconds;
  return { endpoint, from: at, to: at, positions: shownPositions("GetAllPositions", { positions }), answer: 0 };
}

const portfolios = (...reads: readonly [seconds: number, ids: string][]) =>
  reads.map(([seconds, ids]) => listed("GetPortfolio", seconds, ids));
const messages = (...all: readonly [seconds: number, ids: string][]) =>
  all.map(([seconds, ids]) => listed("GetOpenPositionsStreaming", seconds, ids));

const opened = portfolios([0, "7"], [1, "7 8"], [2, "7 8"], [3, "7 8"], [5, "7 8"], [6, "7 8"]);
const closed = portfolios([0, "7 8"], [1, "7"], [2, "7"], [3, "7"], [5, "7"]);

describe("positions that open and close while a stream is watched (T4)", () => {
  test("come and go in its messages", () => {
    expect(positionChangesAgree(opened, messages([0.1, "7"], [2, "7 8"], [4.5, "7 8"]))).toMatchObject({
      violations: [],
    });
    expect(positionChangesAgree(closed, messages([0.1, "7 8"], [4.5, "7"]))).toMatchObject({ violations: [] });
  });

  test("must be there when GetPortfolio has listed them for 2.5 s", () => {
    const { examined, violations } = positionChangesAgree(opened, messages([0.1, "7"], [3.4, "7"], [4.5, "7"]));
    expect(examined).toBe(2 + 1);
    expect(violations).toEqual([
      {
        path: "messages[2].positions",
        expected: "position 8 of market 1, which opened, and which GetPortfolio has listed for 3.5 s",
        seen: "1 position without it",
      },
    ]);
  });

  test("must be gone when GetPortfolio has not listed them for 2.5 s", () => {
    expect(positionChangesAgree(closed, messages([3.4, "7 8"], [4.5, "7 8"])).violations).toEqual([
      {
        path: "messages[1].positions",
        expected: "no position 8 of market 1, which closed, and which GetPortfolio has not listed for 3.5 s",
        seen: "the position",
      },
    ]);
  });

  test("must come and go in portfolios as well when messages have told so for 2.5 s", () => {
    const gone = messages([0, "7 8"], [1, "7"], [1.2, "7"], [1.4, "7"], [5, "7"]);
    expect(positionChangesAgree(gone, portfolios([0.1, "7 8"], [3, "7 8"], [4, "7 8"]))).toMatchObject({
      violations: [
        {
          path: "portfolio.positions",
          answer: 2,
          expected: expect.stringMatching(/^no position 8 .* GetOpenPositionsStreaming has not listed for 3\.0 s$/),
        },
      ],
    });
    expect(positionChangesAgree(gone, portfolios([0.1, "7 8"], [4, "7"]))).toMatchObject({ violations: [] });
  });

  test("may be gone already while a replica of GetPortfolio lists them for a moment longer", () => {
    const closing = portfolios([0, "7"], [1, "7 8"], [2, "7 8"], [3, "7 8"], [5, "7 8"], [5.5, "7"], [6, "7"]);
    expect(positionChangesAgree(closing, messages([0.1, "7"], [4.8, "7"])).violations).toEqual([]);
  });

  test("may be late by 2.5 s, and anything may be after the last read", () => {
    expect(positionChangesAgree(opened, messages([3.4, "7"], [5.1, "7"])).violations).toEqual([]);
    expect(positionChangesAgree(closed, messages([3.4, "7 8"], [5.1, "7 8"])).violations).toEqual([]);
  });

  test("may be listed by one replica of GetPortfolio before the other", () => {
    const unsteady = portfolios([0, "7"], [1, "7 8"], [2, "7"], [3, "7 8"], [5, "7 8"]);
    expect(positionChangesAgree(unsteady, messages([4.5, "7"])).violations).toEqual([]);
  });

  test("what is so from beginning to end is for other rules", () => {
    const always = portfolios([0, "7 8"], [1, "7 8"], [2, "7 8"], [5, "7 8"], [6, "7 8"]);
    expect(positionChangesAgree(always, messages([4.5, "7"]))).toMatchObject({ examined: 2, violations: [] });
  });

  test("are not told of by too few reads", () => {
    const few = portfolios([0, "7"], [1, "7 8"], [5, "7 8"]);
    expect(positionChangesAgree(few, messages([4.5, "7"]))).toMatchObject({ examined: 1, violations: [] });
    expect(positionChangesAgree(few.slice(1), messages([4.5, ""]))).toMatchObject({
      examined: 0,
      missing: expect.stringContaining("more than 2.5 s"),
    });
  });
});
