import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { LoopLag } from "./loop-lag.js";

/** Keeps the event loop from turning. */
function block(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

test("tells a lag once, also while the loop is still held up", async () => {
  const lag = new LoopLag();
  await sleep(20);
  lag.take();
  block(60);
  const told = lag.take();
  expect(told).toBeGreaterThan(50);
  expect(lag.take()).toBeLessThan(told / 2);
  lag.stop();
  expect(lag.largest).toBeGreaterThan(50);
});

test("finds a lag that nobody asked about while it lasted", async () => {
  const lag = new LoopLag();
  block(60);
  await sleep(15);
  expect(lag.take()).toBeGreaterThan(50);
  lag.stop();
});
