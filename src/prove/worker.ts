import { parentPort, workerData } from "node:worker_threads";
import { findModification } from "../reference/modifications.js";
import { runTrial, type TrialJob, type Usage } from "./trial.js";

const usage = workerData as Usage | undefined;

/** A worker of the proof: makes the trials that it is sent, as many at once as it is sent. */
parentPort?.on("message", async (job: TrialJob) => {
  const { modification } = job;
  parentPort?.postMessage(
    await runTrial(job, modification && findModification(modification.kind, modification.name), usage),
  );
});
