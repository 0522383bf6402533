import { appendFileSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { beforeEach, describe, expect, test } from "vitest";
import { temporaryFolder } from "../files/temporary-folder.fixture.js";
import { RecordRefused } from "./folder.js";
import { sealRecord, verifySeal } from "./seal.js";

const BODY = `bodies/${"a".repeat(64)}.gz`;
let dir: string;

beforeEach(() => {
  dir = temporaryFolder();
  mkdirSync(join(dir, "bodies"));
  writeFileSync(join(dir, "exchanges-1.ndjson"), "{}\n");
  writeFileSync(join(dir, BODY), gzipSync("a large body"));
});

describe("a sealed record", () => {
  test("is accepted as it is, and its digest is told", async () => {
    const digest = await sealRecord(dir);
    expect(digest).toMatch(/^[0-9a-f]{64}$/);
    await expect(verifySeal(dir, digest)).resolves.toBeUndefined();
  });

  test("that is sealed again without a change has the same digest", async () => {
    expect(await sealRecord(dir)).toBe(await sealRecord(dir));
  });

  test.each([
    ["an exchange was appended", () => appendFileSync(join(dir, "exchanges-1.ndjson"), "{}\n"), /was altered/],
    ["a body was altered", () => writeFileSync(join(dir, BODY), "another body"), /bodies\/a+\.gz was altered/],
    ["a body is missing", () => rmSync(join(dir, BODY)), /lacks bodies\/a+\.gz/],
    ["a file was added", () => writeFileSync(join(dir, "exchanges-2.ndjson"), ""), /exchanges-2.ndjson was added/],
  ])("is refused when %s", async (_, change, reason) => {
    const digest = await sealRecord(dir);
    change();
    await expect(verifySeal(dir, digest)).rejects.toThrow(RecordRefused);
    await expect(verifySeal(dir, digest)).rejects.toThrow(reason);
  });

  test("is refused when it was altered and sealed again, by whoever noted the digest", async () => {
    const digest = await sealRecord(dir);
    appendFileSync(join(dir, "exchanges-1.ndjson"), "{}\n");
    await sealRecord(dir);
    await expect(verifySeal(dir, digest)).rejects.toThrow(/not the one that the results name/);
  });
});

test("a record without a seal was cut off, and is refused", async () => {
  await expect(verifySeal(dir, "")).rejects.toThrow(/has no seal/);
});
