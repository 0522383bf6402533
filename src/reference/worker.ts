import { Worker } from "node:worker_threads";
import type { Modification } from "./modification.js";
import type { ReferenceServerOptions } from "./server.js";

/** How a reference server in a thread of its own is started: plain data, a modification by its name. */
export interface WorkerServerOptions extends Omit<ReferenceServerOptions, "modification" | "clock"> {
  readonly modification?: { readonly kind: Modification["kind"]; readonly name: string };
}

/** A reference server that runs in a thread of its own. */
export interface WorkerServer {
  readonly url: string;
  readonly port: number;
  /** Ends every connection and the thread. May be called again. */
  close(): Promise<void>;
}

/** What the thread says once: that it listens, or why it does not. The code of an `Error` would be lost on the way. */
export type WorkerMessage =
  | { readonly url: string; readonly port: number }
  | { readonly error: { readonly name: string; readonly message: string; readonly code?: string } };

/**
 * Starts the reference server in a worker thread, so that its event loop and the caller's do not delay each other.
 *
 * @throws RangeError for an unknown modification; the system's error (`EADDRINUSE`, `EACCES`) when the port cannot be had.
 */
export async function startReferenceServerInWorker(options: WorkerServerOptions = {}): Promise<WorkerServer> {
  const worker = new Worker(threadModule(), { workerData: options });
  const message = await new Promise<WorkerMessage>((resolve, reject) => {
    worker.once("message", resolve);
    worker.once("error", reject);
    worker.once("exit", (code) => reject(new Error(`the reference server's thread ended with code ${code}`)));
  });
  if ("error" in message) {
    await worker.terminate();
    throw Object.assign(new Error(message.error.message), message.error);
  }
  let closed: Promise<unknown> | undefined;
  return {
    ...message,
    async close() {
      closed ??= worker.terminate();
      await closed;
    },
  };
}

/** The compiled thread module: node runs no TypeScript in a worker, so that sources need a build beside them. */
function threadModule(): URL {
  const inSources = import.meta.url.endsWith(".ts");
  return new URL(inSources ? "../../dist/src/reference/worker-thread.js" : "./worker-thread.js", import.meta.url);
}
