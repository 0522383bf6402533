import { Worker } from "node:worker_threads";
import type { Modification } from "./modification.js";
import type { ReferenceServerOptions } from "./server.js";

/** Options of a reference server in a worker thread: plain data, with the modification given by name. */
export interface WorkerServerOptions extends Omit<ReferenceServerOptions, "modification" | "clock"> {
  readonly modification?: { readonly kind: Modification["kind"]; readonly name: string };
}

/** A reference server in a worker thread. */
export interface WorkerServer {
  readonly url: string;
  readonly port: number;
  /** Closes all connections and ends the thread. Idempotent. */
  close(): Promise<void>;
}

/**
 * The single message from the thread: it listens, or it failed. An `Error` is sent as fields since cloning would lose its
 * code.
 */
export type WorkerMessage =
  | { readonly url: string; readonly port: number }
  | { readonly error: { readonly name: string; readonly message: string; readonly code?: string } };

/**
 * Starts the reference server in a worker thread, so that its event loop and the caller's do not delay each other.
 *
 * @throws RangeError for an unknown modification; the system error (`EADDRINUSE`, `EACCES`) when the port is not available.
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

/** The compiled thread module. Node does not run TypeScript in a worker, so running from sources needs a build in `dist`. */
function threadModule(): URL {
  const inSources = import.meta.url.endsWith(".ts");
  return new URL(inSources ? "../../dist/src/reference/worker-thread.js" : "./worker-thread.js", import.meta.url);
}
