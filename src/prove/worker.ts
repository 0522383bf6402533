import { parentPort } from "node:worker_threads";
import { findModification } from "../reference/modifications.js";
import type { TrialRequest, TrialResponse } from "./pool.js";
import { runTrial } from "./trial.js";

/** A worker of the proof: runs each trial it is sent, concurrently. */
parentPort?.on("message", async ({ id, job, usage }: TrialRequest) => {
  const { modification } = job;
  const report = await runTrial(job, modification && findModification(modification.kind, modification.name), usage);
  parentPort?.postMessage({ id, report } satisfies TrialResponse);
});
