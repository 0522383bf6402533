import { mkdirSync, writeFileSync } from "node:fs";
import { appendFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { Exchange } from "../connect/exchange.js";
import type { Secrets } from "../connect/target.js";
import { writing } from "../files/write.js";
import { bodiesFolder, bodyFile, inlineLimit } from "./bodies.js";
import { redactExchange } from "./redact.js";
import { type StoredText, withTexts } from "./stored-exchange.js";

const pack = promisify(gzip);

/** Saves a fifth of the space of a listing compared with the fastest level. */
const packingLevel = 9;

const flushIntervalMs = 200;

/**
 * Records into `exchanges-<worker>.ndjson` in a folder, one exchange per line. Bodies above 8 K characters go to gzip files
 * of their own, one per distinct body. Exchanges are written to disk within 200 ms.
 *
 * @throws when the folder or the file cannot be created
 */
export function createRecorder(dir: string, workerId: string, secrets: Pick<Secrets, "token" | "headers">): Recorder {
  const path = join(dir, `exchanges-${workerId}.ndjson`);
  mkdirSync(join(dir, bodiesFolder), { recursive: true });
  writeFileSync(path, "");
  return new Recorder(dir, workerId, path, secrets);
}

/** Writes exchanges to disk as they happen. Its record is complete once it is sealed. */
export class Recorder {
  #lines: string[] = [];
  readonly #bodies = new Map<string, string>();
  readonly #written = new Set<string>();
  #writing: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly dir: string,
    private readonly workerId: string,
    private readonly path: string,
    private readonly secrets: Pick<Secrets, "token" | "headers">,
  ) {}

  /** Queues an exchange, redacted, without waiting for the disk. */
  record(exchange: Exchange): void {
    const stored = withTexts(redactExchange(exchange, this.secrets), (text) => this.#text(text));
    this.#lines.push(JSON.stringify(stored));
    this.#timer ??= setTimeout(() => {
      // The next flush reports the error.
      this.flush().catch(() => {});
    }, flushIntervalMs);
  }

  /** Resolves when everything recorded so far is on disk. Rejects when it could not be written. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#writing = this.#writing.then(() => this.#write());
    return this.#writing;
  }

  /** Writes bodies first, so that no line names a file that does not exist. */
  async #write(): Promise<void> {
    const bodies = [...this.#bodies];
    const lines = this.#lines;
    this.#bodies.clear();
    this.#lines = [];
    for (const [name, body] of bodies) {
      // Another worker may write the same body: a rename replaces the file atomically.
      const temporary = join(this.dir, `${name}.${this.workerId}.tmp`);
      const packed = await pack(body, { level: packingLevel });
      await writing(join(this.dir, name), async () => {
        try {
          await writeFile(temporary, packed);
          await rename(temporary, join(this.dir, name));
        } catch (error) {
          await rm(temporary, { force: true });
          throw error;
        }
      });
    }
    if (lines.length > 0) await writing(this.path, () => appendFile(this.path, `${lines.join("\n")}\n`));
  }

  #text(text: string): StoredText {
    if (text.length <= inlineLimit && !growsInJson(text)) return text;
    const file = bodyFile(text);
    if (!this.#written.has(file)) {
      this.#written.add(file);
      this.#bodies.set(file, text);
    }
    return { file, characters: text.length };
  }
}

/** Whether a text would bloat a line: a control character takes six in JSON, and a stream can be full of them. */
function growsInJson(text: string): boolean {
  return JSON.stringify(text).length > 2 * text.length + 1024;
}
