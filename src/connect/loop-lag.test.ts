import { setTimeout as sleep, setImmediate as turn } from "node:timers/promises";
import { expect, test } from "vitest";
import { LoopLag } from "./loop-lag.js";

/** Keeps the event loop from turning. */
function block(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

/** Waits until the loop turns freely, which it does not always on a busy machine. */
async function calm(lag: LoopLag): Promise<number> {
  for (let attempt = 0; attempt < 100 && lag.current > 20; attempt++) await sleep(12);
  return lag.current;
}

test("reports a lag while the loop is held up, and when it has only just come back", async () => {
  const lag = new LoopLag();
  await sleep(20);
  let justBack = 0;
  // Where another process is given its turn in between, the beat that was late is not the last one any more.
  for (let attempt = 0; attempt < 20 && justBack <= 50; attempt++) {
    block(60);
    expect(lag.current).toBeGreaterThan(50);
    await turn();
    justBack = lag.current;
  }
  expect(justBack).toBeGreaterThan(50);
  lag.stop();
});

test("reports no lag any more once the loop has turned freely, but remembers the largest", async () => {
  const lag = new LoopLag();
  block(60);
  await sleep(12);
  expect(await calm(lag)).toBeLessThanOrEqual(20);
  lag.stop();
  expect(lag.largest).toBeGreaterThan(50);
});

test("counts a lag that lasts when the watch is ended, and none after that", async () => {
  const lag = new LoopLag();
  block(60);
  lag.stop();
  const { largest } = lag;
  expect(largest).toBeGreaterThan(50);
});

test("adds up stalls, also one that lasts", async () => {
  const lag = new LoopLag();
  block(60);
  const lasting = lag.stalled;
  expect(lasting).toBeGreaterThan(50);
  await sleep(12);
  block(60);
  expect(lag.stalled).toBeGreaterThan(lasting + 50);
  lag.stop();
});
