import { parentPort, workerData } from "node:worker_threads";
import { type ThreadTask, work } from "./measure.js";

/** A thread of the measurement: tries faults until there are no more. */
await work(workerData as ThreadTask, (news) => parentPort?.postMessage(news));
