import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { typicalRequests } from "../run/workload.js";
import { perp } from "./binary.fixture.js";
import { mainHere } from "./command.fixture.js";
import { startModified } from "./servers.fixture.js";

test("the folder of a green run has 12 MB at most, its report and every body included; it sent what is announced", async () => {
  const { code, out, results } = await perp(["run", "--reference", "--seed", "1", "--quiet"]);
  expect(code).toBe(0);
  const { requests } = await results();
  expect(Math.abs(requests.count / typicalRequests.quick - 1)).toBeLessThan(0.1);
  const entries = await readdir(out, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const sizes = await Promise.all(files.map(async (file) => (await stat(file)).size));
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(12_000_000);
  expect(files.filter((file) => file.endsWith(".ndjson"))).toEqual([]);
});

test("an answer of 40 MB is judged by a sample, reported as one, and judged alike from the record", async () => {
  const server = await startModified("get-orders-ascending", { orders: 600, walletOrders: 72_000 });
  try {
    const rules = ["get-orders.sorted-by-timestamp", "get-orders.no-result-limit"];
    const selected = rules.flatMap((rule) => ["--rule", rule]);
    const { code, stdout, results, out } = await perp([
      "run",
      "--seed",
      "1",
      "--base-url",
      server.url,
      ...selected,
      "--no-report",
    ]);
    expect(code).toBe(1);
    expect(stdout).toMatch(/Read as a sample.*\n {2}GetOrders, \d\d\.\d MB: [\d,]+ of 72,\d\d\d rows of orders/);

    const { rules: entries, requests } = await results();
    expect(requests.bytesReceived).toBeGreaterThan(32 * 1024 * 1024);
    const [limit, sorted] = [...rules].reverse().map((id) => entries.find((entry) => entry.id === id));
    expect(limit?.verdict).toBe("pass");
    expect(limit?.checks[0]?.sampled).toEqual([
      expect.objectContaining({ endpoint: "GetOrders", path: "orders", rows: expect.any(Number) }),
    ]);
    expect(sorted?.verdict).toBe("fail");
    // The places that are told first may be in smaller answers, which are known as a whole.
    const sampled = sorted?.checks.flatMap((check) => check.sampled ?? []);
    expect(sampled).toContainEqual(expect.objectContaining({ endpoint: "GetOrders", path: "orders" }));

    const again = await mainHere(["rejudge", out]);
    expect(again.stdout).toContain("The same verdict for each of");
    expect(again.code).toBe(1);
  } finally {
    await server.close();
  }
});
