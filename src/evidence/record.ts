import { createReadStream, mkdirSync, writeFileSync } from "node:fs";
import { appendFile, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import type { Exchange } from "../connect/exchange.js";
import { writing } from "../files/write.js";
import type { Secrets } from "../target/target.js";
import { bodiesFolder, bodyFile, inlineLimit } from "./bodies.js";
import { redactExchange } from "./redact.js";

/** Keeps exchanges on disk as they happen. */
export interface Recorder {
  /** Takes an exchange; secrets are removed before anything is written. Does not wait for the disk. */
  record(exchange: Exchange): void;
  /** Resolves when everything taken so far is on disk. Rejects when it could not be written. */
  flush(): Promise<void>;
  /** Writes the rest. That the record as a whole is complete is told by its seal. */
  close(): Promise<void>;
}

/** A text in the record: itself, or the name of the file that has it and its length. */
export type Stored = string | { readonly file: string; readonly characters: number };

/** An exchange as it stands in the record: texts that are too long for a line are in files of their own. */
export interface StoredExchange extends Omit<Exchange, "request" | "response" | "frames"> {
  readonly request: Omit<Exchange["request"], "body"> & { readonly body: Stored };
  readonly response?: Omit<NonNullable<Exchange["response"]>, "body"> & { readonly body: Stored };
  readonly frames?: readonly (Omit<NonNullable<Exchange["frames"]>[number], "data"> & { readonly data: Stored })[];
}

const pack = promisify(gzip);
const unpack = promisify(gunzip);

/** The fastest one: it makes a tenth of a listing, and higher ones hardly less. */
const PACKING_LEVEL = 1;

const flushIntervalMs = 200;
const filePattern = /^exchanges-(.+)\.ndjson$/;

/**
 * Records into `exchanges-<worker>.ndjson` in a folder, one exchange a line; bodies above 8 KB go to files of their
 * own, each once, packed by gzip. What was taken reaches the disk within a fifth of a second.
 *
 * @throws when the folder or the file cannot be made
 */
export function createRecorder(
  dir: string,
  workerId: string | number,
  secrets: Pick<Secrets, "token" | "headers">,
): Recorder {
  const path = pathOf(dir, workerId);
  mkdirSync(join(dir, bodiesFolder), { recursive: true });
  writeFileSync(path, "");
  return new FileRecorder(dir, workerId, path, secrets);
}

class FileRecorder implements Recorder {
  #lines: string[] = [];
  readonly #bodies = new Map<string, string>();
  readonly #written = new Set<string>();
  #writing: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly dir: string,
    private readonly workerId: string | number,
    private readonly path: string,
    private readonly secrets: Pick<Secrets, "token" | "headers">,
  ) {}

  record(exchange: Exchange): void {
    this.#lines.push(oneLine(this.#store(redactExchange(exchange, this.secrets))));
    this.#timer ??= setTimeout(() => {
      // An error is told by the next flush, and by close.
      this.flush().catch(() => {});
    }, flushIntervalMs);
  }

  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#writing = this.#writing.then(() => this.#write());
    return this.#writing;
  }

  close(): Promise<void> {
    return this.flush();
  }

  /** Bodies first, so that no line names a file that is not there. */
  async #write(): Promise<void> {
    const bodies = [...this.#bodies];
    const lines = this.#lines;
    this.#bodies.clear();
    this.#lines = [];
    for (const [name, body] of bodies) {
      // Another worker may write the same body: a rename replaces a file as a whole.
      const temporary = join(this.dir, `${name}.${this.workerId}.tmp`);
      const packed = await pack(body, { level: PACKING_LEVEL });
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

  #store({ request, response, frames, ...rest }: Exchange): StoredExchange {
    return {
      ...rest,
      request: { ...request, body: this.#text(request.body) },
      ...(response && { response: { ...response, body: this.#text(response.body) } }),
      ...(frames && { frames: frames.map((frame) => ({ ...frame, data: this.#text(frame.data) })) }),
    };
  }

  #text(text: string): Stored {
    if (text.length <= inlineLimit) return text;
    const file = bodyFile(text);
    if (!this.#written.has(file)) {
      this.#written.add(file);
      this.#bodies.set(file, text);
    }
    return { file, characters: text.length };
  }
}

/** JSON without the separators that `readline` takes for ends of lines, though JSON allows them in strings. */
function oneLine(value: StoredExchange): string {
  return JSON.stringify(value).replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029");
}

/**
 * The exchanges of a record, worker by worker, in the order in which they were taken. A last line that was cut off in
 * the middle of writing is passed over; that something is missing is told by the seal.
 *
 * @throws when a line that is not the last is not readable, or a body's file is missing: the record was tampered with
 */
export async function* readRecord(dir: string): AsyncGenerator<Exchange> {
  for (const worker of await recordedWorkers(dir)) yield* readWorker(dir, worker);
}

/** The exchanges of a record (see {@link readRecord}) without the texts that are in files of their own. */
export async function* readStored(dir: string): AsyncGenerator<StoredExchange> {
  for (const worker of await recordedWorkers(dir)) yield* readLines(pathOf(dir, worker));
}

/** The exchanges of one worker (see {@link readRecord}). */
export async function* readWorker(dir: string, worker: string): AsyncGenerator<Exchange> {
  for await (const line of readLines(pathOf(dir, worker))) yield await restore(dir, line);
}

function pathOf(dir: string, worker: string | number): string {
  return join(dir, `exchanges-${worker}.ndjson`);
}

/** The workers that have taken part in a record, sorted. */
export async function recordedWorkers(dir: string): Promise<string[]> {
  const names = (await readdir(dir)).map((name) => filePattern.exec(name)?.[1]);
  return names.filter((name) => name !== undefined).sort();
}

async function* readLines(path: string): AsyncGenerator<StoredExchange> {
  let broken: string | undefined;
  let number = 0;
  for await (const text of createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY })) {
    number++;
    if (broken !== undefined) throw new Error(broken);
    if (text === "") continue;
    try {
      yield JSON.parse(text) as StoredExchange;
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      broken = `${path}, line ${number}: ${error.message}`;
    }
  }
}

async function restore(dir: string, { request, response, frames, ...rest }: StoredExchange): Promise<Exchange> {
  const text = (stored: Stored): Promise<string> | string =>
    typeof stored === "string" ? stored : readBody(join(dir, stored.file));
  return {
    ...rest,
    request: { ...request, body: await text(request.body) },
    ...(response && { response: { ...response, body: await text(response.body) } }),
    ...(frames && {
      frames: await Promise.all(frames.map(async (frame) => ({ ...frame, data: await text(frame.data) }))),
    }),
  };
}

async function readBody(path: string): Promise<string> {
  const bytes = await readFile(path);
  return (path.endsWith(".gz") ? await unpack(bytes) : bytes).toString("utf8");
}
