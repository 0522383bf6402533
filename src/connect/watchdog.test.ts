import { stat } from "node:fs";
import { expect, test, vi } from "vitest";
import { Watchdog } from "./watchdog.js";

function block(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

test("silence is told once", async () => {
  const onSilence = vi.fn();
  await new Promise<void>((resolve) => {
    onSilence.mockImplementation(resolve);
    new Watchdog(1, onSilence);
  });
  await new Promise((resolve) => setTimeout(resolve, 10));
  expect(onSilence).toHaveBeenCalledOnce();
});

test("a stopped watch tells nothing", async () => {
  const onSilence = vi.fn();
  new Watchdog(1, onSilence).stop();
  await new Promise((resolve) => setTimeout(resolve, 10));
  expect(onSilence).not.toHaveBeenCalled();
});

test("a sign of life that waited while this thread was busy counts", async () => {
  const onSilence = vi.fn();
  const watchdog = new Watchdog(20, onSilence);
  const read = new Promise<void>((resolve) => {
    // Done long before the block ends, but told only when the thread reads its events again.
    stat(".", () => {
      watchdog.touch();
      setImmediate(resolve);
    });
  });
  block(60);
  await read;
  watchdog.stop();
  expect(onSilence).not.toHaveBeenCalled();
});

test("after a sign of life the time starts anew", async () => {
  const told = new Promise<void>((resolve) => {
    const watchdog = new Watchdog(5, resolve);
    watchdog.touch();
  });
  await expect(told).resolves.toBeUndefined();
});
