import { parentPort, workerData } from "node:worker_threads";
import { type ThreadTask, work } from "./measure.js";

/** A measurement thread: tries faults until none are left. */
await work(workerData as ThreadTask, (news) => parentPort?.postMessage(news));
