import { readSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { crc32, deflateRawSync, gunzipSync } from "node:zlib";
import { writeWhole } from "../files/write.js";
import { listRecord, packedName, RecordRefused, readChunks, withFile, workerOf } from "./folder.js";
import { exchangeFormat } from "./stored-exchange.js";

/**
 * The exchanges of a complete record are packed: a file of lines becomes a file of gzip members (RFC 1952). Each member
 * holds whole lines and states its length in its extra field. Any tool can unpack the whole file (`zcat`), and a single line
 * can be read without unpacking everything before it.
 */

/** A gzip member of a packed file. */
export interface Block {
  /** Offset and length in the file, in bytes. */
  readonly at: number;
  readonly length: number;
  /** Unpacked size, in bytes. */
  readonly unpackedBytes: number;
}

/** A block ends with the line that brings it to this size, unpacked, in bytes. */
const blockBytes = 128 * 1024;

/** Largest unpacked block: just under blockBytes plus the longest line. */
const maxUnpacked = blockBytes + exchangeFormat.maxBytes;

/** Maximum unpacked size of a file, in bytes: far above what any run records. */
const maxTotal = 4 * 1024 ** 3;

/** Gzip header before the extra field: magic number, deflate, FEXTRA flag, no time, no level, unknown system. */
const gzipStart = Buffer.from([0x1f, 0x8b, 8, 4, 0, 0, 0, 0, 0, 255]);

/** Start of the extra field. Its one subfield, `PC`, has two numbers: the member's length and its unpacked size. */
const extraStart = Buffer.from([12, 0, 0x50, 0x43, 8, 0]);
const headBytes = gzipStart.length + extraStart.length + 8;

/** Gzip trailer: checksum and size of the unpacked content. */
const tailBytes = 8;

const newline = 0x0a;

/**
 * Packs the exchanges of a record that will no longer be written to, replacing the files of lines by packed ones.
 *
 * @throws WriteFailure when a packed file cannot be written
 */
export async function packRecord(dir: string): Promise<void> {
  const lines = [...listRecord(dir, "ignored").keys()].filter((path) => workerOf(path) && packedName(path) !== path);
  for (const path of lines) {
    await writeWhole(join(dir, packedName(path)), packed(readChunks(dir, path)));
    await rm(join(dir, path));
  }
}

/** Packs lines into gzip members, each of whole lines. An incomplete last line goes into the last member. */
export function* packed(chunks: Iterable<Buffer>): Generator<Buffer> {
  let parts: Buffer[] = [];
  let bytes = 0;
  let isEmpty = true;
  for (const chunk of chunks) {
    let from = 0;
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, end + 1)) {
      if (bytes + end + 1 - from < blockBytes) continue;
      yield memberOf(Buffer.concat([...parts, chunk.subarray(from, end + 1)]));
      isEmpty = false;
      parts = [];
      bytes = 0;
      from = end + 1;
    }
    // Copied, since the next chunk overwrites this one.
    parts.push(Buffer.from(chunk.subarray(from)));
    bytes += chunk.length - from;
  }
  // A packed file has at least one member, even if it is empty.
  if (bytes > 0 || isEmpty) yield memberOf(Buffer.concat(parts));
}

function memberOf(content: Buffer): Buffer {
  const deflated = deflateRawSync(content, { level: 9 });
  const member = Buffer.alloc(headBytes + deflated.length + tailBytes);
  gzipStart.copy(member);
  extraStart.copy(member, gzipStart.length);
  member.writeUInt32LE(member.length, headBytes - 8);
  member.writeUInt32LE(content.length, headBytes - 4);
  deflated.copy(member, headBytes);
  member.writeUInt32LE(crc32(content), member.length - tailBytes);
  member.writeUInt32LE(content.length, member.length - 4);
  return member;
}

/**
 * Lists the blocks of a packed file from their headers.
 *
 * @throws RecordRefused when the file is not packed as a record is, or would unpack to more than any run records
 */
export function* blocksOf(dir: string, path: string): Generator<Block> {
  const refused = (what: string) => new RecordRefused(`${join(dir, path)} ${what}`);
  let total = 0;
  let at = 0;
  for (;;) {
    const head = withFile(dir, path, ({ fd, bytes }) => {
      if (at >= bytes) return undefined;
      const buffer = Buffer.alloc(headBytes);
      readSync(fd, buffer, 0, headBytes, at);
      return { buffer, left: bytes - at };
    });
    if (head === undefined) return;
    const { buffer, left } = head;
    const length = buffer.readUInt32LE(headBytes - 8);
    const unpackedBytes = buffer.readUInt32LE(headBytes - 4);
    const isOurs =
      buffer.subarray(0, gzipStart.length).equals(gzipStart) &&
      buffer.subarray(gzipStart.length, headBytes - 8).equals(extraStart);
    if (!isOurs || length < headBytes + tailBytes || length > left) throw refused("is not packed as a record is");
    total += unpackedBytes;
    if (unpackedBytes > maxUnpacked || total > maxTotal) throw refused("unpacks to more than any run records");
    yield { at, length, unpackedBytes };
    at += length;
  }
}

/**
 * Unpacks the lines of a block.
 *
 * @throws RecordRefused when it cannot be unpacked, or not to the size it declares
 */
export function unpackBlock(dir: string, path: string, { at, length, unpackedBytes }: Block): Buffer {
  const member = withFile(dir, path, ({ fd }) => {
    const buffer = Buffer.alloc(length);
    return buffer.subarray(0, readSync(fd, buffer, 0, length, at));
  });
  try {
    const content = gunzipSync(member, { maxOutputLength: Math.max(1, unpackedBytes) });
    if (content.length === unpackedBytes) return content;
  } catch {
    // Reported below.
  }
  throw new RecordRefused(`${join(dir, path)} cannot be unpacked`);
}
