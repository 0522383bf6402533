import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Mutant } from "../modification.js";
import type { ReferenceServer } from "../server.js";
import { firstFrames, medianFrameGap, type TestFrame, watch } from "../test-client.fixture.js";
import {
  capitals,
  data,
  eth,
  neighbour,
  serve,
  timeout,
  version,
  walletAt,
  withWhitespace,
} from "./interactions.fixture.js";
import { rarestMarket, streamInteractions } from "./interactions-streams.js";

/** A stream to watch. */
interface Watched {
  readonly address: string;
  readonly updateIntervalMs?: number;
  readonly headers?: Record<string, string>;
  /** How many frames to wait for: 3 unless told. */
  readonly frames?: number;
}

/** A wallet with few open positions, one of them in the second market. */
const some = [...data.wallets.values()].find(({ positions }) => {
  const open = positions.filter((position) => position.open);
  return open.length > 1 && open.length < 6 && open.some(({ marketId }) => marketId === eth.id);
});
const address = some?.address ?? "";
const unknown = `0x${"7".repeat(40)}`;
const updateIntervalMs = 100;

/** Streams that show a fault in a message, and none in those before it. */
const later: Readonly<Record<string, number>> = {
  "stream-lacks-a-position-from-the-thirtieth-message-on": 30,
  "stream-tenth-message-lists-a-foreign-position": 10,
  "stream-thirtieth-message-empty": 30,
  "stream-doubles-a-position-from-the-tenth-message-on": 10,
  "stream-margin-creeps-from-the-tenth-message-on": 10,
  "stream-size-of-one-market-halved-from-the-fifteenth-message-on": 15,
  "stream-effective-size-lost-from-the-twentieth-message-on": 20,
  "stream-references-of-one-market-lost-from-the-tenth-message-on": 10,
  "stream-owner-with-checksum-from-the-tenth-message-on": 10,
  "stream-ends-after-thirty-five-messages": 36,
};

/** A wallet with a position of the market that fewest wallets hold. */
const rarest = rarestMarket(data);
const holder = data.positions.find(({ open, marketId }) => open && marketId === rarest)?.owner ?? "";

/** A stream that shows what a mutant does wrong, and one that does not. */
const together: Readonly<Record<string, readonly [shows: Watched, hides: Watched]>> = {
  "stream-without-open-positions-ends-after-fifteen-messages": [
    { address: unknown, frames: 16 },
    { address, frames: 16 },
  ],
  "stream-references-to-reduce-only-orders-lost-from-the-seventh-message-on": [
    { address: walletAt(1).address, frames: 7 },
    { address: walletAt(1).address, frames: 6 },
  ],
  "stream-lacks-a-position-at-long-intervals": [
    { address, updateIntervalMs: 1_500 },
    { address, updateIntervalMs: 900 },
  ],
  "stream-lacks-a-market-from-the-tenth-message-on": [
    { address: holder, frames: 10 },
    { address: holder, frames: 9 },
  ],
  "stream-lists-ten-positions-at-most": [{ address: walletAt(1).address }, { address }],
  "stream-neighbouring-address-is-the-known-one": [{ address: neighbour({ address }) }, { address: unknown }],
  "stream-padded-address-unknown-with-an-interval": [
    { address: withWhitespace(address), updateIntervalMs },
    { address: withWhitespace(address) },
  ],
  "stream-padded-address-with-capitals-unknown": [
    { address: withWhitespace(capitals({ address })) },
    { address: withWhitespace(address) },
  ],
  "stream-address-with-capitals-loses-a-position-from-the-third-message-on": [
    { address: capitals({ address }) },
    { address: capitals({ address }), frames: 2 },
  ],
  "stream-small-interval-refused-for-a-padded-address": [
    { address: withWhitespace(address), updateIntervalMs: 99 },
    { address: withWhitespace(address), updateIntervalMs },
  ],
  "stream-ends-after-fifteen-messages-with-a-timeout": [
    { address, headers: timeout, frames: 16 },
    { address, frames: 16 },
  ],
};

/** A stream whose gaps are longer than those of another by a third and more, after some messages. */
const cadence: Readonly<Record<string, { slow: Watched; steady: Watched; after: number }>> = {
  "stream-interval-slips-after-twelve-messages": {
    slow: { address, updateIntervalMs, frames: 20 },
    steady: { address, updateIntervalMs, frames: 12 },
    after: 13,
  },
  "stream-interval-longer-for-an-address-with-capitals": {
    slow: { address: capitals({ address }), updateIntervalMs, frames: 5 },
    steady: { address, updateIntervalMs, frames: 5 },
    after: 0,
  },
  "stream-interval-lost-without-the-version-header": {
    slow: { address, updateIntervalMs, frames: 5 },
    steady: { address, updateIntervalMs, headers: version, frames: 5 },
    after: 0,
  },
  "stream-default-500-with-a-timeout": {
    slow: { address, headers: timeout, frames: 5 },
    steady: { address, frames: 5 },
    after: 0,
  },
  "stream-default-100-for-an-address-with-capitals": {
    slow: { address, frames: 5 },
    steady: { address: capitals({ address }), frames: 5 },
    after: 0,
  },
};

const silent = "stream-falls-silent-after-thirty-messages";

let reference: ReferenceServer;
beforeAll(async () => {
  reference = await serve(hurried());
});
afterAll(() => reference.close());

/** A server that sends a message every 10 ms, whatever the interval: only what its messages say is looked at. */
function hurried(mutant: Partial<Mutant> = {}): Mutant {
  return {
    kind: "mutant",
    name: "hurried",
    summary: "Ten milliseconds.",
    breaks: "get-open-positions-streaming.interval",
    ...mutant,
    schedule: (terms, context) => ({ ...mutant.schedule?.(terms, context), at: (index) => 10 * index }),
  };
}

function named(name: string): Mutant {
  const mutant = streamInteractions.find((candidate) => candidate.name === name);
  if (mutant === undefined) throw new Error(`there is no mutant ${name}`);
  return mutant;
}

function frames(server: ReferenceServer, { headers, frames: count = 3, ...request }: Watched): Promise<TestFrame[]> {
  return firstFrames(server, request, count, headers);
}

/** What frames say, without their times. */
async function said(server: ReferenceServer, watched: Watched) {
  return (await frames(server, watched)).map(({ flags, json }) => ({ flags, json }));
}

test("each mutant has its streams", () => {
  const names = [later, together, cadence].flatMap((streams) => Object.keys(streams));
  expect([...names, silent].sort()).toEqual(streamInteractions.map(({ name }) => name).sort());
});

test.concurrent.each(Object.entries(later))("%s", async (name, message) => {
  const server = await serve(hurried(named(name)));
  try {
    const [expected] = await said(reference, { address, frames: 1 });
    const seen = await said(server, { address, frames: message });
    expect(seen).toHaveLength(message);
    for (const before of seen.slice(0, -1)) expect(before).toEqual(expected);
    expect(seen.at(-1)).not.toEqual(expected);
  } finally {
    await server.close();
  }
});

test.concurrent.each(Object.entries(together))("%s", async (name, [shows, hides]) => {
  const server = await serve(hurried(named(name)));
  try {
    expect(await said(server, hides)).toEqual(await said(reference, hides));
    expect(await said(server, shows)).not.toEqual(await said(reference, shows));
  } finally {
    await server.close();
  }
});

// Streams with an interval take their time: they are watched side by side.
describe.concurrent("cadence", () => {
  // A busy machine stretches the gaps of both streams.
  test.each(Object.entries(cadence))("%s", { retry: 2 }, async (name, { slow, steady, after }) => {
    const server = await serve(named(name));
    try {
      const [slowed, kept] = await Promise.all([frames(server, slow), frames(server, steady)]);
      expect(medianFrameGap(slowed.slice(after)) / medianFrameGap(kept)).toBeGreaterThan(1.3);
    } finally {
      await server.close();
    }
  });

  test(silent, async () => {
    const [server, steady] = await Promise.all([serve(named(silent)), serve()]);
    const stream = watch(server, { address, updateIntervalMs });
    let seen = 0;
    const counted = (async () => {
      for await (const _frame of stream) seen++;
    })().catch(() => undefined); // Closing the server ends it.
    try {
      await frames(steady, { address, updateIntervalMs, frames: 36 });
      expect(seen).toBe(30);
    } finally {
      await Promise.all([server.close(), steady.close()]);
      await counted;
    }
  });
});
