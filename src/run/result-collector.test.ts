import { expect, test } from "vitest";
import { ResultCollector } from "./result-collector.js";

test("unhandled errors are problems, whatever was thrown", () => {
  const collector = new ResultCollector([], { onResult() {}, onOwnChecks() {} });
  const fromWorker = Object.assign(Object.create(null) as object, { message: "\u001b[31mno space is left\u001b[39m" });
  collector.onTestRunEnd([], [new Error("broken"), fromWorker, Object.create(null), "text", undefined], "failed");
  expect(collector.problems).toEqual(["broken; no space is left; [Object: null prototype] {}; 'text'; undefined"]);
  expect(collector.interrupted).toBe(false);
});
