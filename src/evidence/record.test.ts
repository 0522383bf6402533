import { appendFileSync, readdirSync, readFileSync, rmSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import type { Exchange } from "../connect/exchange.js";
import { temporaryFolder } from "../files/temporary-folder.fixture.js";
import { streamExchange, unaryExchange } from "./exchange.fixture.js";
import { openRecord } from "./read-record.js";
import { createRecorder } from "./record.js";

const noSecrets = { headers: [] };
let dir: string;

beforeEach(() => {
  dir = temporaryFolder();
});

async function readAll(): Promise<Exchange[]> {
  const record = openRecord(dir);
  return record.workers.flatMap((worker) => [...record.exchangesOf(worker)]);
}

describe("a record", () => {
  test("gives back what was taken, of all workers", async () => {
    const exchanges = [
      unaryExchange(),
      streamExchange(),
      unaryExchange({ id: "third", failure: { kind: "reset", message: "\u2028 a\nb" } }),
    ];
    const [one, two] = [createRecorder(dir, "1", noSecrets), createRecorder(dir, "2", noSecrets)];
    one.record(exchanges[0] as Exchange);
    one.record(exchanges[1] as Exchange);
    two.record(exchanges[2] as Exchange);
    await Promise.all([one.flush(), two.flush()]);
    expect(await readAll()).toEqual(exchanges);
    expect(openRecord(dir).workers).toEqual(["1", "2"]);
    expect([...openRecord(dir).exchangesOf("2")]).toEqual(exchanges.slice(2));
  });

  test("keeps large bodies in files, each once", async () => {
    const large = JSON.stringify("é".repeat(20_000));
    const { response, request } = unaryExchange();
    const exchanges = [
      unaryExchange({ response: { ...(response as NonNullable<typeof response>), body: large } }),
      unaryExchange({ id: "another", request: { ...request, body: large } }),
      streamExchange({
        frames: [
          { at: 1, flags: 0, data: large },
          { at: 2, flags: 0, data: `${large} ` },
        ],
      }),
    ];
    const recorders = [createRecorder(dir, "1", noSecrets), createRecorder(dir, "2", noSecrets)];
    for (const recorder of recorders) for (const exchange of exchanges) recorder.record(exchange);
    await Promise.all(recorders.map((recorder) => recorder.flush()));
    expect(await readAll()).toEqual([...exchanges, ...exchanges]);
    expect(readdirSync(join(dir, "bodies"))).toHaveLength(2);
    expect(readFileSync(join(dir, "exchanges-1.ndjson"), "utf8").length).toBeLessThan(large.length);
  });

  test("holds no secret, in lines or in files", async () => {
    const token = "s3cret-token";
    const recorder = createRecorder(dir, "1", { token, headers: [] });
    const { response } = unaryExchange();
    recorder.record(
      unaryExchange({
        response: { ...(response as NonNullable<typeof response>), body: `${token} ${"x".repeat(20_000)}` },
      }),
    );
    recorder.record(unaryExchange({ failure: { kind: "reset", message: token } }));
    await recorder.flush();
    const files = readdirSync(dir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    expect(files).toHaveLength(2);
    for (const file of files) expect(readFileSync(join(file.parentPath, file.name), "utf8")).not.toContain(token);
  });

  test("reaches the disk without being flushed", async () => {
    const recorder = createRecorder(dir, "1", noSecrets);
    recorder.record(unaryExchange());
    await expect.poll(readAll, { timeout: 10_000 }).toHaveLength(1);
  });

  test("keeps the order when much is taken while the disk is busy", async () => {
    const recorder = createRecorder(dir, "1", noSecrets);
    const ids = Array.from({ length: 500 }, (_, id) => `${id}`);
    const flushes = ids.map((id) => {
      recorder.record(unaryExchange({ id }));
      return Number(id) % 50 === 0 ? recorder.flush() : undefined;
    });
    await Promise.all(flushes);
    await recorder.flush();
    expect((await readAll()).map(({ id }) => id)).toEqual(ids);
  });

  test("tells that the disk does not take it", async () => {
    const recorder = createRecorder(dir, "1", noSecrets);
    rmSync(join(dir, "bodies"), { recursive: true });
    recorder.record(
      unaryExchange({
        failure: { kind: "reset", message: "" },
        request: { ...unaryExchange().request, body: "x".repeat(20_000) },
      }),
    );
    await expect(recorder.flush()).rejects.toThrow(/ENOENT/);
  });
});

describe("a damaged record", () => {
  beforeEach(async () => {
    const recorder = createRecorder(dir, "1", noSecrets);
    for (const id of ["1", "2", "3"]) recorder.record(unaryExchange({ id }));
    await recorder.flush();
  });
  const path = () => join(dir, "exchanges-1.ndjson");

  test("that was cut off in its last line has the lines before it", async () => {
    const lines = readFileSync(path(), "utf8").split("\n");
    truncateSync(path(), Buffer.byteLength(lines.slice(0, 2).join("\n")) + 30);
    expect((await readAll()).map(({ id }) => id)).toEqual(["1", "2"]);
  });

  test("that is broken in the middle is refused", async () => {
    appendFileSync(path(), "}{\n");
    appendFileSync(path(), `${JSON.stringify(unaryExchange())}\n`);
    await expect(readAll()).rejects.toThrow(/line 4/);
  });

  test("that is not there has no exchanges", async () => {
    rmSync(path());
    expect(await readAll()).toEqual([]);
  });
});
