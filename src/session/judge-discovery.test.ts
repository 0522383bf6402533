import { expect, test } from "vitest";
import { streamExchange, unaryExchange } from "../evidence/exchange.fixture.js";
import { createRecorder } from "../evidence/record.js";
import { temporaryFolder } from "../files/temporary-folder.fixture.js";
import { discoveryRecord, judgeDiscovery } from "./judge-discovery.js";
import { openEnvironment } from "./open-environment.js";
import { sessionOf } from "./session.fixture.js";

test("discovery's successes are judged by the rules on every answer, its other answers are not", async () => {
  const recordDir = temporaryFolder();
  const session = sessionOf({ recordDir });
  const answered = (id: string, status: number, body: string) =>
    unaryExchange({ id, response: { status, headers: [["content-type", "text/html"]], body, bytes: body.length } });
  const recorder = createRecorder(recordDir, discoveryRecord, session.target.secrets);
  recorder.record(answered("discovery#1", 200, '{"orders":null}'));
  recorder.record(answered("discovery#2", 500, "<html>"));
  recorder.record(streamExchange({ id: "discovery#3" }));
  await recorder.flush();
  const environment = openEnvironment(session, "worker-1");
  judgeDiscovery(session, environment);
  const results = environment.drainEveryAnswer();
  await environment.close();
  const places = (rule: string) =>
    results
      .filter((result) => result.rule === rule)
      .flatMap(({ violations }) => violations.map(({ places: [at] }) => at?.exchange));
  expect(places("wire.no-null")).toEqual(["discovery#1"]);
  expect(places("wire.content-type")).toEqual(["discovery#1"]);
  expect(results.flatMap(({ exchanges }) => exchanges)).not.toContain("discovery#2");
});

test("without a record, nothing of discovery is judged", async () => {
  const environment = openEnvironment(sessionOf(), "worker-1");
  judgeDiscovery(sessionOf(), environment);
  expect(environment.drainEveryAnswer()).toEqual([]);
  await environment.close();
});
