import { createServer } from "node:http";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openRecord } from "../evidence/read-record.js";
import { startReferenceServer } from "../reference/server.js";
import { listenOnLoopback, perp, SMALL } from "./binary.fixture.js";
import { mainHere } from "./command.fixture.js";
import { passOn, shutDown } from "./servers.fixture.js";

/** Requests of checks after which the process is killed: well in the middle of a run. */
const KILLED_AT = 300;

test("a process that is killed leaves results and a record that say that they are incomplete", async () => {
  const server = await startReferenceServer(SMALL);
  let checked = 0;
  let killed = () => {};
  const onTheWay = createServer((request, response) => {
    if (request.headers["x-conformance-check"] !== "discovery" && ++checked === KILLED_AT) killed();
    passOn(request, response, server.port);
  });
  try {
    const run = await perp(["run", "--base-url", await listenOnLoopback(onTheWay), "--no-report"], (_, kill) => {
      killed = () => kill("SIGKILL");
    });
    expect(run.code).toBeNull();
    const results = await run.results();
    expect(results).toMatchObject({ incomplete: true, summary: { conformant: false } });
    expect(results).not.toHaveProperty("evidence");

    const checks = new Set<string>();
    const record = openRecord(join(run.out, "evidence"));
    const exchanges = record.workers.flatMap((worker) => [...record.exchangesOf(worker)]);
    for (const { id, response, failure, ended } of exchanges) {
      // A stream that was silent all the time that it was watched has neither.
      expect(response ?? failure ?? ended, id).toBeDefined();
      checks.add(id.split("#")[0] ?? "");
    }
    expect(checks.size).toBeGreaterThan(3);
    const again = await mainHere(["rejudge", run.out]);
    expect({ code: again.code, stdout: again.stdout }).toEqual({ code: 3, stdout: "" });
    expect(again.stderr).toContain("the run ended before it was complete");
  } finally {
    shutDown(onTheWay);
    await server.close();
  }
});
