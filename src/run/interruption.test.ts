import { expect, test } from "vitest";
import { onInterruption, raceWithInterruption } from "./interruption.js";

const never = new Promise<string>(() => {});

test("work that is not interrupted gives what it gives", async () => {
  const { signal } = new AbortController();
  expect(await raceWithInterruption(Promise.resolve("done"), signal, 10)).toBe("done");
  await expect(raceWithInterruption(Promise.reject(new Error("broken")), signal, 10)).rejects.toThrow("broken");
});

test("work that is interrupted is given up after its grace, also when it was too late to begin", async () => {
  const controller = new AbortController();
  const early = raceWithInterruption(never, controller.signal, 5);
  controller.abort();
  expect(await early).toBeUndefined();
  expect(await raceWithInterruption(never, controller.signal, 5)).toBeUndefined();
});

test("work that ends within its grace still counts", async () => {
  const controller = new AbortController();
  const work = new Promise<string>((resolve) =>
    controller.signal.addEventListener("abort", () => resolve("cut short")),
  );
  const result = raceWithInterruption(work, controller.signal, 1000);
  controller.abort();
  expect(await result).toBe("cut short");
});

test("while a run is under way nobody else handles its signals", async () => {
  const earlier = () => {};
  process.on("SIGTERM", earlier);
  const before = process.listeners("SIGTERM");
  const interruption = onInterruption();
  const intruder = () => {};
  process.once("SIGTERM", intruder);
  process.on("SIGINT", intruder);
  await Promise.resolve();
  expect(process.listeners("SIGINT")).not.toContain(intruder);
  expect(process.listeners("SIGTERM")).toHaveLength(1);
  expect(process.listeners("SIGTERM")).not.toContain(earlier);
  interruption.dispose();
  expect(process.listeners("SIGTERM")).toEqual(before);
  process.off("SIGTERM", earlier);
});
