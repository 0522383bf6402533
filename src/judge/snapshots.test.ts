import { describe, expect, test } from "vitest";
import type { JsonObject } from "../connect/json.js";
import {
  emptySnapshots,
  emptySnapshotsUnlessOpened,
  fullBetween,
  fullPortfolio,
  fullSnapshots,
  orderReferences,
  positionsOwnedBy,
  type WatchedMessages,
  wellFormedEnvelopes,
} from "./snapshots.js";

const address = "0xab";

function position(positionId: string, changes: JsonObject = {}): JsonObject {
  const ref = { orderId: positionId, marketId: "1", reduceOnly: false };
  return { positionId, marketId: "1", owner: address, associatedOrderIds: [ref], ...changes };
}

/** A stream whose messages list the positions with these ids; an id may repeat in another market as `7@2`. */
function stream(...messages: readonly (readonly string[])[]): WatchedMessages {
  return streamOf(
    ...messages.map((ids) =>
      ids.map((text) => {
        const [id = "", marketId = "1"] = text.split("@");
        return position(id, { marketId });
      }),
    ),
  );
}

function streamOf(...messages: readonly (readonly JsonObject[])[]): WatchedMessages {
  const arrivals = messages.map((positions, index) => ({ at: 100 * index, body: { positions } }));
  return { messages: arrivals, ended: "by-us", windowMs: 100 * messages.length, loopLagMs: 0 };
}

describe("full snapshots (T4)", () => {
  test("list what messages before and after list", () => {
    expect(fullSnapshots(address)(stream(["1", "2"], ["1", "2"], ["1", "2"]))).toMatchObject({
      examined: 2,
      violations: [],
    });
  });

  test("may gain and lose positions", () => {
    expect(fullSnapshots(address)(stream(["1"], ["1", "2"], ["2"], ["2", "3"], ["3"])).violations).toEqual([]);
  });

  test("of positions with one id in two markets are told apart (R14)", () => {
    expect(fullSnapshots(address)(stream(["7", "7@2"], ["7"], ["7", "7@2"])).violations).toHaveLength(1);
  });

  test.each([
    ["a diff: nothing when nothing changed", stream(["1", "2"], [], []), stream(["1", "2"]), 4],
    ["a diff: only what changed", stream(["1", "2"], ["2"], ["2"]), stream(["1", "2"]), 2],
    ["an empty first message", stream([], ["1"], ["1"]), stream([], ["1"]), 1],
    ["one position missing now and then", stream(["1", "2"], ["1"], ["1", "2"]), stream(["1", "2"]), 1],
  ])("are not %s", (_, first, second, violations) => {
    expect(fullSnapshots(address)(first, second).violations).toHaveLength(violations);
  });

  test("of replicas that are a moment apart may differ right after a position was opened, and right before it is closed", () => {
    const opened = stream([], ["1"], [], ["1"], [], ["1"]);
    const closed = stream(["1"], [], ["1"], [], []);
    expect(fullSnapshots(address)(opened).violations).toEqual([]);
    expect(fullSnapshots(address)(closed).violations).toEqual([]);
    const later = stream([], ...Array.from({ length: 28 }, () => ["1"]), [], ["1"]);
    expect(fullSnapshots(address)(later).violations).toHaveLength(1);
  });

  test("of replicas may differ if the stream ends right after a position was closed", () => {
    const listed = (count: number) => Array.from({ length: count }, () => ["1"]);
    const messages = (after: number) => stream(...listed(4), [], ...listed(after));
    const sentAt = Date.UTC(2026, 0, 2);
    expect(fullSnapshots(address, sentAt)(messages(11)).violations).toEqual([]);
    expect(fullSnapshots(address, sentAt)(messages(12)).violations).toHaveLength(1);
  });

  test("of replicas may differ if an event came right before the stream was opened", () => {
    const [listed, opening] = [[position("1", { timestamp: "2026-01-01T00:00:00Z" })], Date.UTC(2026, 0, 1)];
    const opened = streamOf(listed, [], ...Array.from({ length: 20 }, () => listed));
    expect(fullSnapshots(address, opening + 1_000)(opened).violations).toEqual([]);
    expect(fullSnapshots(address, opening + 10_000)(opened).violations).toHaveLength(1);
  });

  test("need not list a position that was closed and opened again", () => {
    const [opened, reopened] = ["2026-01-01T00:00:00Z", "2026-01-01T00:00:05Z"].map((timestamp) => [
      position("1", { timestamp }),
    ]);
    expect(fullSnapshots(address)(streamOf(opened ?? [], [], reopened ?? [])).violations).toEqual([]);
    expect(fullSnapshots(address)(streamOf(opened ?? [], [], opened ?? [])).violations).toHaveLength(1);
  });

  test("are what streams opened beside others show, of what was open before and after", () => {
    const before = stream(["1"], ...Array.from({ length: 14 }, () => ["1", "2"]));
    expect(fullBetween(address)(stream([], ["1"]), before, stream(["1", "2"])).violations).toMatchObject([
      { answer: 0, path: "messages[0].positions" },
      { answer: 0, path: "messages[0].positions" },
      { answer: 0, path: "messages[1].positions" },
    ]);
    // What was opened within the last second may not be known everywhere yet.
    const lately = stream(...Array.from({ length: 14 }, () => ["1"]), ["1", "2"]);
    expect(fullBetween(address)(stream(["1"]), lately, stream(["1", "2"])).violations).toEqual([]);
  });

  test("are what a portfolio holds that is read beside a stream", () => {
    const before = stream(...Array.from({ length: 14 }, () => ["1", "2"]));
    const portfolio = (...ids: readonly string[]) => ({ portfolio: { positions: ids.map((id) => position(id)) } });
    expect(fullPortfolio(address)(portfolio("1", "2", "3"), before, stream(["1", "2"])).violations).toEqual([]);
    expect(fullPortfolio(address)(portfolio("1"), before, stream(["1"])).violations).toEqual([]);
    expect(fullPortfolio(address)(portfolio("1"), before, stream(["1", "2"])).violations).toMatchObject([
      { answer: 0, path: "portfolio.positions" },
    ]);
  });

  test("of the wallet alone are judged", () => {
    const foreign = [position("9", { owner: "0xcd" })];
    expect(fullSnapshots(address)(streamOf(foreign, [], foreign)).examined).toBe(0);
  });

  test("tell which stream and which message lacks what", () => {
    expect(fullSnapshots(address)(stream(["1"], ["1"]), stream([], ["1"])).violations).toEqual([
      {
        answer: 1,
        path: "messages[0].positions",
        expected: "position 1 of market 1, which messages before and after list",
        seen: "no positions",
      },
    ]);
  });

  test("cannot be judged without a position in three messages", () => {
    expect(fullSnapshots(address)(stream([], [], [])).examined).toBe(0);
    expect(fullSnapshots(address)(stream(["1"], ["1"]))).toEqual({
      examined: 0,
      violations: [],
      missing: "three messages with an open position",
    });
  });
});

describe("the wallet's positions", () => {
  test("are owned by it, whatever the case", () => {
    expect(positionsOwnedBy("0xAB")(stream(["1"], ["1", "2"]))).toMatchObject({ examined: 3, violations: [] });
    expect(positionsOwnedBy("0xcd")(stream([])).examined).toBe(0);
    const foreign = streamOf([position("1")], [position("1"), position("2", { owner: "0xcd" })]);
    expect(positionsOwnedBy(address)(foreign).violations).toEqual([
      { path: "messages[1].positions[1].owner", expected: "0xab (the requested wallet)", seen: "0xcd" },
    ]);
    expect(positionsOwnedBy(address)(streamOf([position("1", { owner: "" })])).violations[0]?.seen).toBe("nothing");
  });

  test("carry order references", () => {
    expect(orderReferences(stream(["1"], ["1"]))).toMatchObject({ examined: 2, violations: [] });
    expect(orderReferences(streamOf([position("1", { associatedOrderIds: [] })])).violations).toEqual([
      { path: "messages[0].positions[0].associatedOrderIds", expected: "at least one order reference", seen: "none" },
    ]);
    const { associatedOrderIds, ...without } = position("1");
    expect(associatedOrderIds).toBeDefined();
    expect(orderReferences(streamOf([without])).violations).toHaveLength(1);
  });
});

describe("a wallet without open positions (T6)", () => {
  test("has an open stream of empty snapshots, whether the field is there or not (W1)", () => {
    const absent = { ...stream([]), messages: [{ at: 0, body: {} }] };
    for (const empty of [stream([], []), absent]) {
      expect(emptySnapshots(empty).violations).toEqual([]);
      expect(emptySnapshots(empty).examined).toBeGreaterThan(1);
    }
  });

  test.each([
    ["positions", stream([], ["1"])],
    ["an end", { ...stream([], []), ended: "end-frame" } as const],
    ["a closed connection", { ...stream([]), ended: "closed" } as const],
    ["no message", stream()],
  ])("does not have %s", (_, wrong) => {
    expect(emptySnapshots(wrong).violations).toHaveLength(1);
  });

  test("cannot be judged by a stream that cannot be read", () => {
    const problem = { kind: "framing", framing: "truncated", message: "cut" } as const;
    expect(emptySnapshots({ ...stream(), problem }).examined).toBe(0);
  });

  test("that opens one meanwhile is no longer one", () => {
    expect(emptySnapshotsUnlessOpened("0xAB")(stream([], ["1"])).examined).toBe(0);
    expect(emptySnapshotsUnlessOpened("0xcd")(stream([], ["1"])).violations).toHaveLength(1);
    expect(emptySnapshotsUnlessOpened("0xcd")(stream([], [])).violations).toEqual([]);
  });
});

describe("envelopes (§6)", () => {
  const frame = (flags: number) => ({ at: 0, flags, data: "{}" });

  test("are well formed without a problem", () => {
    expect(wellFormedEnvelopes([frame(0), frame(0), frame(2)])({})).toMatchObject({ examined: 3, violations: [] });
    expect(wellFormedEnvelopes([])({}).examined).toBe(0);
  });

  test("have no flags that Connect does not know", () => {
    expect(wellFormedEnvelopes([frame(0), frame(0x80)])({}).violations).toEqual([
      { path: "frames[1].flags", expected: "no flags but those of Connect, 1 and 2", seen: "128" },
    ]);
  });

  test("are faulty when the stream cannot be read, but not when the connection broke", () => {
    const unreadable = { kind: "unreadable", frame: 1, message: "it is not JSON" } as const;
    expect(wellFormedEnvelopes([frame(0), frame(0)])({ problem: unreadable }).violations).toEqual([
      { path: "frames[1]", expected: "a sequence of Connect envelopes with JSON objects", seen: "it is not JSON" },
    ]);
    const framing = { kind: "framing", framing: "oversized", message: "too long" } as const;
    expect(wellFormedEnvelopes([])({ problem: framing })).toMatchObject({
      examined: 1,
      violations: [{ path: "frames" }],
    });
    const broken = { kind: "failure", failure: "reset", message: "gone" } as const;
    expect(wellFormedEnvelopes([frame(0)])({ problem: broken }).violations).toEqual([]);
  });
});
