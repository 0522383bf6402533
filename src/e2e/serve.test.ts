import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { serveCommand } from "../cli/serve.js";
import { startReferenceServer } from "../reference/server.js";
import { ask } from "../reference/test-client.fixture.js";
import { UsageError } from "../report/failure.js";

let output = "";
let errors = "";
beforeEach(() => {
  output = "";
  errors = "";
  vi.spyOn(process.stdout, "write").mockImplementation((text, done?: unknown) => {
    output += text;
    if (typeof done === "function") done();
    return true;
  });
  vi.spyOn(process.stderr, "write").mockImplementation((text) => {
    errors += text;
    return true;
  });
});
afterEach(() => {
  vi.restoreAllMocks();
  process.exitCode = undefined;
});

const serve = (...args: string[]) => serveCommand().exitOverride().parseAsync(args, { from: "user" });

/** The URL that the command has printed. */
async function printedUrl(): Promise<string> {
  await vi.waitFor(() => expect(output).toMatch(/http:\/\/\S+/), { timeout: 10_000 });
  return /http:\/\/[^\s]+/.exec(output)?.[0] ?? "";
}

describe("serve", () => {
  test.each(["SIGINT", "SIGTERM"] as const)("prints one line, serves, and ends with %s", async (signal) => {
    const running = serve("--orders", "20", "--mutant", "order-book-in-usd-with-total-crashes");
    const url = await printedUrl();
    expect(output.split("\n")).toEqual([expect.stringContaining("mutant order-book-in-usd-with-total-crashes"), ""]);
    expect((await ask({ url }, "GetAllOrders")).status).toBe(200);
    expect((await ask({ url }, "GetOrderBook", { sizeInUsd: true, totalOrderCount: 1 })).status).toBe(500);
    process.emit(signal);
    await running;
    await expect(ask({ url }, "GetAllOrders")).rejects.toThrow();
    expect(process.exitCode).toBeUndefined();
  });

  test("--quiet prints the URL alone", async () => {
    const running = serve("--quiet", "--orders", "0", "--variant", "defaults-emitted", "--latency", "5", "--churn");
    expect(await printedUrl()).toBe(output.trimEnd());
    process.emit("SIGINT");
    await running;
  });

  test("an unknown name is a usage error that says the nearest one", async () => {
    await expect(serve("--mutant", "order-book-in-usd-with-total-crash")).rejects.toThrow(UsageError);
    await expect(serve("--mutant", "order-book-in-usd-with-total-crash")).rejects.toThrow(
      '"order-book-in-usd-with-total-crashes"',
    );
    await expect(serve("--variant", "defaults-emited")).rejects.toThrow('"defaults-emitted"');
    await expect(
      serve("--variant", "defaults-emitted", "--mutant", "order-book-in-usd-with-total-crashes"),
    ).rejects.toThrow(UsageError);
  });

  test.each([
    ["--port", "65536"],
    ["--orders", "1000001"],
    ["--seed", "one"],
    ["--latency", "-5"],
  ])("%s %s is refused", async (option, value) => {
    await expect(serve(option, value)).rejects.toThrow("must be an integer");
  });

  test("a port in use is one line and exit code 3", async () => {
    const server = await startReferenceServer({ orders: 0 });
    await serve("--port", String(server.port), "--orders", "0");
    await server.close();
    expect(errors).toBe(`error: port ${server.port} is in use (EADDRINUSE)\n`);
    expect(process.exitCode).toBe(3);
  });
});
