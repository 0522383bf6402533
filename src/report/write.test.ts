import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import type { Exchange } from "../connect/exchange.js";
import { createRecorder } from "../evidence/record.js";
import { temporaryFolder } from "../files/temporary-folder.fixture.js";
import { checkResult, findingOf, resultsOf } from "./run.fixture.js";
import { runFiles, writeHar, writeReports } from "./write.js";

let out: string;
beforeEach(() => {
  out = temporaryFolder();
});

test("a run leaves its files and nothing half-written", async () => {
  await writeReports(out, resultsOf());
  expect((await readdir(out)).sort()).toEqual(["junit.xml", "results.json", "summary.md"]);
  expect(JSON.parse(await readFile(join(out, "results.json"), "utf8"))).toEqual(
    JSON.parse(JSON.stringify(resultsOf())),
  );
});

test("the record of a run becomes its HTTP archive", async () => {
  const exchange: Exchange = {
    id: "discovery#1",
    request: { endpoint: "GetAllOrders", method: "POST", url: "http://127.0.0.1:1/x", headers: [], body: "{}" },
    startedAt: "2026-01-02T03:04:05.006Z",
    timings: { headersMs: 1, totalMs: 2 },
    response: { status: 200, headers: [["content-type", "application/json"]], body: '{"orders":[]}', bytes: 13 },
  };
  const recorder = createRecorder(join(out, runFiles.evidence), "test", { headers: [] });
  const passed = { ...exchange, id: "discovery#2", startedAt: "2026-01-02T03:04:06.006Z" };
  for (const each of [passed, exchange]) recorder.record(each);
  await recorder.flush();
  const places = [{ exchange: exchange.id, path: "orders", expected: "one", seen: "none" }];
  const failed = checkResult("sample.fail", "fail", { violations: [findingOf({ places })] });
  await writeHar(out, resultsOf({ results: [failed] }));
  const har = JSON.parse(await readFile(join(out, runFiles.har), "utf8"));
  expect(har.log).toMatchObject({ version: "1.2", creator: { name: "perp-conformance", version: "0.1.0" } });
  expect(har.log.entries.map(({ comment }: { comment: string }) => comment)).toEqual(["discovery#1", "discovery#2"]);
  expect(har.log.entries[0].response.content.text).toBe('{"orders":[]}');
  expect(har.log.entries[1].request.postData.text).toBe("{}");
  expect(har.log.entries[1].response.content).toEqual({
    size: 13,
    mimeType: "application/json",
  });
  expect(har.log.comment).toBe("bodies that are left out are in the evidence");
});
