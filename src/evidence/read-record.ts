import { hash } from "node:crypto";
import { readSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { LRUCache } from "lru-cache";
import type { Exchange } from "../connect/exchange.js";
import { readWithin } from "../files/read-file.js";
import { parseDocument } from "../files/read-json.js";
import { FileRefused, inBytes } from "../files/refused.js";
import { largestBody } from "../specification/profile.js";
import { bodyDigestOf, listRecord, type RecordFiles, RecordRefused, readChunks, withFile, workerOf } from "./folder.js";
import { type Block, blocksOf, unpackBlock } from "./pack.js";
import { findSeal, type Seal } from "./seal.js";
import { exchangeFormat, type StoredExchange, type StoredText, withTexts } from "./stored-exchange.js";

/** Where an exchange is in the file of its worker. */
export interface PlaceOfLine {
  /** Line number, from 1. */
  readonly line: number;
  /** Offset and length of the line in bytes: in the unpacked `block` if there is one, otherwise in the file. */
  readonly at: number;
  readonly length: number;
  readonly block?: Block;
}

/** An exchange and where it is in the file. */
export interface Located extends PlaceOfLine {
  readonly exchange: StoredExchange;
}

/** Maximum number of exchanges per worker: far above what any run sends. */
const maxExchanges = 50_000;

/** Largest unpacked block that is cached, in bytes: a larger one ends with one long line. */
const maxCachedBytes = 1024 * 1024;

/** How many characters of texts are cached. */
const maxCachedCharacters = 16 * 1024 * 1024;

/** Maximum number of UTF-8 bytes per UTF-16 code unit. */
const maxBytesPerUnit = 3;

const newline = 0x0a;
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * Opens an untrusted record. Only file names of a record are accepted, every line must have the form of an exchange, and a
 * body is never unpacked beyond its declared size. The seal is not required; it tells whether the record is complete and
 * unaltered (see `verifySeal`).
 *
 * @param maxBodyBytes size of the largest body that is read
 * @throws RecordRefused when the folder is not a record
 */
export function openRecord(dir: string, maxBodyBytes: number = largestBody.full): RecordReader {
  return new RecordReader(dir, listRecord(dir, "ignored"), findSeal(dir), maxBodyBytes);
}

/** Reads a record. Every access reads from disk; keeping exchanges in memory is up to the caller. */
export class RecordReader {
  /** The workers that recorded exchanges, sorted. */
  readonly workers: readonly string[];
  readonly #paths: ReadonlyMap<string, string>;
  /** Texts recently read from files of their own. Many exchanges have the same, which is then in memory once. */
  readonly #texts = new LRUCache<string, string, number>({
    maxSize: maxCachedCharacters,
    sizeCalculation: ({ length }) => length + 1,
    memoMethod: (file, _, { context: characters }) => this.#textOf(file, characters),
  });
  /** The block last unpacked from each file: lines are mostly read in sequence. */
  readonly #unpacked = new Map<string, { readonly at: number; readonly content: Buffer }>();

  constructor(
    readonly dir: string,
    files: RecordFiles,
    private readonly seal: Seal | undefined,
    private readonly maxBodyBytes: number,
  ) {
    this.#paths = new Map(
      [...files.keys()].flatMap((path) => {
        const worker = workerOf(path);
        return worker === undefined ? [] : [[worker, path] as const];
      }),
    );
    this.workers = [...this.#paths.keys()].sort();
  }

  /** The exchanges of one worker, in the order they were recorded (see {@link linesOf}). */
  *exchangesOf(worker: string): Generator<Exchange> {
    for (const { exchange } of this.linesOf(worker)) yield this.restore(exchange);
  }

  /**
   * The exchanges of one worker, without the texts that are in files of their own. An incomplete last line is skipped; the
   * seal tells that something is missing.
   *
   * @throws RecordRefused when any other line is not an exchange
   */
  *linesOf(worker: string): Generator<Located> {
    const path = this.#pathOf(worker);
    const ids = new Set<string>();
    for (const { isComplete, ...place } of this.#placesIn(path)) {
      const { line } = place;
      const exchange = this.#parse(path, place, isComplete);
      if (exchange === undefined) continue;
      if (ids.has(exchange.id))
        throw new RecordRefused(`${join(this.dir, path)}, line ${line} repeats the exchange ${exchange.id}`);
      if (ids.add(exchange.id).size > maxExchanges)
        throw new RecordRefused(`${join(this.dir, path)} has more than ${maxExchanges} exchanges`);
      yield { exchange, ...place };
    }
  }

  /** Reads a located exchange from disk, with all of its texts. */
  read(worker: string, place: PlaceOfLine): Exchange {
    return this.restore(this.lineAt(worker, place));
  }

  /** Reads a located exchange from disk, without the texts that are in files of their own. */
  lineAt(worker: string, place: PlaceOfLine): StoredExchange {
    const exchange = this.#parse(this.#pathOf(worker), place, true);
    if (exchange === undefined) throw new RecordRefused(`the record in ${this.dir} changed while it was read`);
    return exchange;
  }

  /** Adds the texts that are in files of their own. */
  restore(exchange: StoredExchange): Exchange {
    return withTexts(exchange, (text) => this.#text(text));
  }

  /** @param isComplete whether the line ends with a newline; one that does not may be invalid, and is then undefined */
  #parse(path: string, { line, at, length, block }: PlaceOfLine, isComplete: boolean): StoredExchange | undefined {
    const where = `${join(this.dir, path)}, line ${line}`;
    if (length > exchangeFormat.maxBytes)
      throw new RecordRefused(`${where} is longer than ${inBytes(exchangeFormat.maxBytes)}`);
    const bytes = block
      ? this.#unpack(path, block).subarray(at, at + length)
      : withFile(this.dir, path, ({ fd }) => {
          const buffer = Buffer.allocUnsafe(length);
          return buffer.subarray(0, readSync(fd, buffer, 0, length, at));
        });
    try {
      return parseDocument(bytes, where, exchangeFormat);
    } catch (error) {
      if (!(error instanceof FileRefused)) throw error;
      if (!isComplete) return undefined;
      throw new RecordRefused(error.message);
    }
  }

  #pathOf(worker: string): string {
    const path = this.#paths.get(worker);
    if (path === undefined) throw new RecordRefused(`the record in ${this.dir} has nothing of ${worker}`);
    return path;
  }

  *#placesIn(path: string): Generator<PlaceOfLine & { readonly isComplete: boolean }> {
    if (!path.endsWith(".gz")) return yield* rangesOf(readChunks(this.dir, path));
    let line = 1;
    for (const block of blocksOf(this.dir, path)) {
      for (const range of rangesOf([this.#unpack(path, block)], line)) {
        yield { ...range, block };
        line = range.line + 1;
      }
    }
  }

  #unpack(path: string, block: Block): Buffer {
    const latest = this.#unpacked.get(path);
    if (latest?.at === block.at) return latest.content;
    const content = unpackBlock(this.dir, path, block);
    if (content.length <= maxCachedBytes) this.#unpacked.set(path, { at: block.at, content });
    return content;
  }

  #text(stored: StoredText): string {
    if (typeof stored === "string") return stored;
    const { file, characters } = stored;
    const text = this.#texts.memo(file, { context: characters });
    if (text.length !== characters)
      throw new RecordRefused(`${file} does not hold the ${characters} characters that the exchange names`);
    return text;
  }

  #textOf(file: string, characters: number): string {
    const declared = this.seal ? this.seal.files[file]?.unpackedBytes : undefined;
    const limit = declared ?? characters * maxBytesPerUnit;
    if (characters > this.maxBodyBytes || (declared ?? 0) > this.maxBodyBytes)
      throw new RecordRefused(
        `${file} is declared to have more than ${inBytes(this.maxBodyBytes)}, which no such run records`,
      );
    const bytes = unpack(readWithin(this.dir, file, this.maxBodyBytes), Math.min(limit, this.maxBodyBytes), file);
    const isAsDeclared = declared === undefined || bytes.length === declared;
    if (!isAsDeclared || hash("sha256", bytes) !== bodyDigestOf(file))
      throw new RecordRefused(`${file} does not hold the body that it is named for`);
    const text = decoded(bytes);
    if (text === undefined) throw new RecordRefused(`${file} does not hold UTF-8`);
    return text;
  }
}

/** Yields the places of lines, numbered from `first`, without holding any line in memory. */
function* rangesOf(chunks: Iterable<Buffer>, first = 1) {
  let line = first;
  let start = 0;
  let offset = 0;
  for (const chunk of chunks) {
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, end + 1)) {
      yield { line, at: start, length: offset + end - start, isComplete: true };
      start = offset + end + 1;
      line++;
    }
    offset += chunk.length;
  }
  if (offset > start) yield { line, at: start, length: offset - start, isComplete: false };
}

/** Unpacks a body, but no further than `maxBytes`. */
function unpack(packed: Buffer, maxBytes: number, file: string): Buffer {
  try {
    return gunzipSync(packed, { maxOutputLength: Math.max(1, maxBytes) });
  } catch (error) {
    const tooLarge = (error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE";
    throw new RecordRefused(
      tooLarge ? `${file} unpacks to more than is declared for it` : `${file} cannot be unpacked`,
    );
  }
}

function decoded(bytes: Buffer): string | undefined {
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}
