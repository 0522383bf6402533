import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { encodeEnvelope } from "./envelope.js";
import { answerOf, chunked, chunkOf, connectToHostile, lastChunk } from "./hostile-server.fixture.js";
import { StreamSlots } from "./stream-slots.js";

const { signal } = new AbortController();

/** A stream that is served at once with a message of some size, and goes on until it is told to end. */
function openStream(slots: StreamSlots, bytes = 100) {
  let end = () => {};
  let opened = false;
  const over = slots.run((onMessage) => {
    opened = true;
    onMessage(bytes);
    return new Promise<void>((resolve) => {
      end = resolve;
    });
  }, signal);
  return {
    isOpen: () => opened,
    end: async () => {
      end();
      await over;
    },
  };
}

const moment = () => sleep(100);

describe("slots for streams", () => {
  test("are as many as are asked for while none is refused", async () => {
    const slots = new StreamSlots();
    const streams = Array.from({ length: 100 }, () => openStream(slots));
    await expect.poll(() => streams.every(({ isOpen }) => isOpen())).toBe(true);
  });

  test("are as many as fit into memory, a few of them while it is not known how large messages are", async () => {
    const large = new StreamSlots();
    const streams = Array.from({ length: 20 }, () => openStream(large, 4_000_000));
    await expect.poll(() => streams.filter(({ isOpen }) => isOpen())).toHaveLength(8);
    await moment();
    expect(streams.filter(({ isOpen }) => isOpen())).toHaveLength(8);
    await streams[0]?.end();
    await expect.poll(() => streams.filter(({ isOpen }) => isOpen())).toHaveLength(9);

    const silent = new StreamSlots();
    let opened = 0;
    const ends: (() => void)[] = [];
    const watch = () => {
      opened++;
      return new Promise<void>((resolve) => ends.push(resolve));
    };
    for (let count = 0; count < 20; count++) void silent.run(watch, signal);
    await expect.poll(() => opened).toBe(4);
    await moment();
    expect(opened).toBe(4);
    ends[0]?.();
    await expect.poll(() => opened).toBe(20);
  });

  test("are as many as were served at once after a refusal, for all workers, and not before the pause", async () => {
    const memory = StreamSlots.memory();
    const [one, other] = [new StreamSlots(memory), new StreamSlots(memory)];
    const [first, second] = [openStream(one), openStream(other)];
    await expect.poll(() => first.isOpen() && second.isOpen()).toBe(true);
    one.refuse(0);
    const third = openStream(other);
    await moment();
    expect(third.isOpen()).toBe(false);
    await first.end();
    await expect.poll(third.isOpen).toBe(true);
    other.refuse(60_000);
    await second.end();
    const fourth = openStream(one);
    await moment();
    expect(fourth.isOpen()).toBe(false);
  });

  test("tell a stream too many from a target that serves none", async () => {
    const slots = new StreamSlots();
    expect(slots.servesOthers).toBe(false);
    openStream(slots);
    await expect.poll(() => slots.servesOthers).toBe(true);
  });
});

describe.each([
  ["a status", answerOf('{"code":"resource_exhausted","message":"two"}', { status: "429 Too Many Requests" })],
  [
    "the end of a stream",
    Buffer.concat([chunked(encodeEnvelope('{"error":{"code":"resource_exhausted"}}', 2)), Buffer.from(lastChunk)]),
  ],
])("a target that serves two streams at once, and refuses more by %s", (_, refusal) => {
  test("brings all of them one after the other", async () => {
    let open = 0;
    await using server = await connectToHostile((socket) => {
      if (open === 2) {
        socket.write(refusal);
        return;
      }
      open++;
      socket.on("close", () => open--);
      socket.write(chunked(encodeEnvelope("{}")));
      setTimeout(() => socket.write(chunkOf(encodeEnvelope("{}"))), 150);
    });
    const exchanges = await Promise.all(
      Array.from({ length: 7 }, (_, index) => server.listen({ messages: 2, ms: 10_000 }, { id: `${index}` })),
    );
    expect(exchanges.map(({ throttled, frames }) => [throttled, frames?.length])).toEqual(
      exchanges.map(() => [undefined, 2]),
    );
  });
});

test("a target that refuses all streams is soon given up", async () => {
  await using server = await connectToHostile((socket) =>
    socket.write(answerOf("{}", { status: "429 Too Many Requests", headers: ["Retry-After: 0"] })),
  );
  expect((await server.listen({ ms: 150 })).throttled).toBe(true);
  expect(server.requests).toHaveLength(4);
});
