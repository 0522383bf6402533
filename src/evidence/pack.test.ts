import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { beforeEach, describe, expect, test } from "vitest";
import { temporaryFolder } from "../files/temporary-folder.fixture.js";
import { unaryExchange } from "./exchange.fixture.js";
import { RecordRefused } from "./folder.js";
import { blocksOf, packed, packRecord, unpackBlock } from "./pack.js";
import { openRecord } from "./read-record.js";
import { sealRecord, verifySeal } from "./seal.js";

const file = "exchanges-1.ndjson.gz";
const answer = { status: 200, headers: [], bytes: 4000 };
const exchanges = Array.from({ length: 200 }, (_, index) =>
  unaryExchange({ id: `a#${index}`, response: { ...answer, body: `${index} `.repeat(1000) } }),
);
const lines = exchanges.map((exchange) => `${JSON.stringify(exchange)}\n`).join("");

let dir: string;
beforeEach(() => {
  dir = temporaryFolder();
  writeFileSync(join(dir, "exchanges-1.ndjson"), lines);
});

const idsIn = () => [...openRecord(dir).exchangesOf("1")].map(({ id }) => id);
const path = () => join(dir, file);

describe("a packed record", () => {
  test("has the same exchanges, in a tenth of the space, and any tool unpacks it", async () => {
    const plain = [...openRecord(dir).exchangesOf("1")];
    await packRecord(dir);
    expect(readdirSync(dir)).toEqual([file]);
    expect([...blocksOf(dir, file)].length).toBeGreaterThan(3);
    expect([...openRecord(dir).exchangesOf("1")]).toEqual(plain);
    expect(gunzipSync(readFileSync(path())).toString()).toBe(lines);
    expect(readFileSync(path()).length).toBeLessThan(lines.length / 10);
    const digest = await sealRecord(dir);
    await expect(verifySeal(dir, digest)).resolves.toBeUndefined();
  });

  test("gives any exchange by its place", async () => {
    await packRecord(dir);
    const record = openRecord(dir);
    const places = [...record.linesOf("1")].toReversed();
    expect(places.map((place) => record.read("1", place))).toEqual(exchanges.toReversed());
    expect(places[0]?.line).toBe(exchanges.length);
  });

  test("of a worker without exchanges can be unpacked, too", async () => {
    writeFileSync(join(dir, "exchanges-1.ndjson"), "");
    await packRecord(dir);
    expect(gunzipSync(readFileSync(path())).toString()).toBe("");
    expect(openRecord(dir).workers).toEqual(["1"]);
    expect(idsIn()).toEqual([]);
  });

  test("holds what was cut off in the middle of a line", async () => {
    writeFileSync(join(dir, "exchanges-1.ndjson"), lines.slice(0, -20));
    await packRecord(dir);
    expect(idsIn()).toEqual(exchanges.slice(0, -1).map(({ id }) => id));
  });

  test("that was not finished gives way to the plain one, and is not sealed", async () => {
    writeFileSync(path(), Buffer.concat([...packed([Buffer.from(lines)])]).subarray(0, 1000));
    expect(idsIn()).toHaveLength(exchanges.length);
    await expect(sealRecord(dir)).rejects.toThrow(/exchanges-1\.ndjson twice, plain and packed/);
  });

  const whole = () => Buffer.concat([...packed([Buffer.from(lines)])]);
  test.each<[string, () => Buffer, RegExp]>([
    ["was packed by something else", () => gzipSync(lines), /not packed as a record is/],
    ["was cut off", () => whole().subarray(0, -1), /not packed as a record is/],
    ["has something after its end", () => Buffer.concat([whole(), Buffer.from("{}\n")]), /not packed as a record is/],
    ["unpacks to more than it tells", () => changed((bytes) => bytes.writeUInt32LE(1000, 20)), /cannot be unpacked/],
    ["unpacks to less than it tells", () => changed((bytes) => bytes.writeUInt32LE(10e6, 20)), /cannot be unpacked/],
    ["is to unpack to gigabytes", () => changed((bytes) => bytes.writeUInt32LE(3e9, 20)), /more than any run records/],
    ["was altered", () => changed((bytes) => bytes.writeUInt32LE(0, 100)), /cannot be unpacked/],
  ])("is refused when it %s", (_, bytes, reason) => {
    rmSync(join(dir, "exchanges-1.ndjson"));
    writeFileSync(path(), bytes());
    expect(idsIn).toThrow(RecordRefused);
    expect(idsIn).toThrow(reason);
  });

  function changed(change: (bytes: Buffer) => void): Buffer {
    const bytes = whole();
    change(bytes);
    return bytes;
  }
});

test("a line that is longer than a block is a block with those before it", () => {
  const text = `short\n${"x".repeat(500_000)}\nnext\n`;
  writeFileSync(path(), Buffer.concat([...packed([Buffer.from(text.slice(0, 300)), Buffer.from(text.slice(300))])]));
  const blocks = [...blocksOf(dir, file)].map((block) => unpackBlock(dir, file, block).toString());
  expect(blocks.map((block) => block.length)).toEqual([500_007, 5]);
  expect(blocks.join("")).toBe(text);
});
