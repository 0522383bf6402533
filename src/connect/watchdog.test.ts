import { stat } from "node:fs";
import { expect, test, vi } from "vitest";
import { Watchdog } from "./watchdog.js";

function block(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

test("silence is reported once", async () => {
  const onSilence = vi.fn();
  await new Promise<void>((resolve) => {
    onSilence.mockImplementation(resolve);
    new Watchdog(1, onSilence);
  });
  await new Promise((resolve) => setTimeout(resolve, 10));
  expect(onSilence).toHaveBeenCalledOnce();
});

test("a stopped watch reports nothing", async () => {
  const onSilence = vi.fn();
  new Watchdog(1, onSilence).stop();
  await new Promise((resolve) => setTimeout(resolve, 10));
  expect(onSilence).not.toHaveBeenCalled();
});

test("activity that waited while this thread was busy counts", async () => {
  const onSilence = vi.fn();
  const watchdog = new Watchdog(20, onSilence);
  const read = new Promise<void>((resolve) => {
    // After immediates the loop runs expired timers, and only then reads what has come meanwhile.
    setImmediate(() => {
      stat(".", () => {
        watchdog.touch();
        setImmediate(resolve);
      });
      block(60);
    });
  });
  await read;
  watchdog.stop();
  expect(onSilence).not.toHaveBeenCalled();
});

test("after activity the time starts again", () => {
  vi.useFakeTimers();
  const onSilence = vi.fn();
  const watchdog = new Watchdog(100, onSilence);
  vi.advanceTimersByTime(90);
  watchdog.touch();
  vi.advanceTimersByTime(90);
  expect(onSilence).not.toHaveBeenCalled();
  vi.advanceTimersByTime(20);
  expect(onSilence).toHaveBeenCalledOnce();
  vi.useRealTimers();
});
