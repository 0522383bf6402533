import { parentPort, workerData } from "node:worker_threads";
import { findModification } from "./modifications.js";
import { startReferenceServer } from "./server.js";
import type { WorkerMessage, WorkerServerOptions } from "./worker.js";

/** Entry point of `startReferenceServerInWorker`'s thread; serves until terminated. */
async function serve({ modification: named, ...options }: WorkerServerOptions): Promise<WorkerMessage> {
  try {
    const modification = named && findModification(named.kind, named.name);
    if (named && !modification) throw new RangeError(`there is no ${named.kind} ${JSON.stringify(named.name)}`);
    const { url, port } = await startReferenceServer({ ...options, modification });
    return { url, port };
  } catch (error) {
    const { name, message, code } = error as Error & { readonly code?: string };
    return { error: { name, message, ...(code !== undefined && { code }) } };
  }
}

parentPort?.postMessage(await serve(workerData as WorkerServerOptions));
