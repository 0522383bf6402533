import { readSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { crc32, deflateRawSync, gunzipSync } from "node:zlib";
import { writeWhole } from "../files/write.js";
import { contentOf, listRecord, packedName, RecordRefused, withFile, workerOf } from "./folder.js";
import { exchangeFormat } from "./stored-exchange.js";

/**
 * The exchanges of a record that is complete are packed: a file of lines becomes a file of gzip members (RFC 1952), each of
 * whole lines, and each telling in its extra field how long it is. So any tool unpacks the file as one (`zcat`), and a line is
 * read without all that stand before it.
 */

/** A member of a packed file. */
export interface Block {
  /** Where it begins in the file, and its length there, in bytes. */
  readonly at: number;
  readonly length: number;
  /** Bytes that it unpacks to. */
  readonly unpackedBytes: number;
}

/** A block is closed by the line with which it reaches this size, unpacked. */
const BLOCK_BYTES = 128 * 1024;

/** The lines before the last one of a block, and the longest line. */
const MAX_UNPACKED = BLOCK_BYTES + exchangeFormat.maxBytes;

/** Bytes that all blocks of a file unpack to at most: much more than any run records. */
const MAX_TOTAL = 4 * 1024 ** 3;

/** Before the extra field: magic number, deflate, "there is an extra field", no time, no level, unknown system. */
const gzipStart = Buffer.from([0x1f, 0x8b, 8, 4, 0, 0, 0, 0, 0, 255]);

/** The extra field has one part, `PC`, with two numbers: the length of the member, and that of what it unpacks to. */
const extraStart = Buffer.from([12, 0, 0x50, 0x43, 8, 0]);
const headBytes = gzipStart.length + extraStart.length + 8;

/** Checksum and length of what was packed. */
const tailBytes = 8;

const newline = 0x0a;

/**
 * Packs the exchanges of a record to which nothing more will be written: the files of lines give way to packed ones.
 *
 * @throws WriteFailure when they cannot be written
 */
export async function packRecord(dir: string): Promise<void> {
  const lines = [...listRecord(dir, "ignored").keys()].filter((path) => workerOf(path) && packedName(path) !== path);
  for (const path of lines) {
    await writeWhole(join(dir, packedName(path)), packed(contentOf(dir, path)));
    await rm(join(dir, path));
  }
}

/** Lines as gzip members, each of whole lines; what comes after the last line's end is in the last one. */
export function* packed(chunks: Iterable<Buffer>): Generator<Buffer> {
  let parts: Buffer[] = [];
  let bytes = 0;
  let isEmpty = true;
  for (const chunk of chunks) {
    let from = 0;
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, end + 1)) {
      if (bytes + end + 1 - from < BLOCK_BYTES) continue;
      yield memberOf(Buffer.concat([...parts, chunk.subarray(from, end + 1)]));
      isEmpty = false;
      parts = [];
      bytes = 0;
      from = end + 1;
    }
    // The chunk is overwritten by the next one.
    parts.push(Buffer.from(chunk.subarray(from)));
    bytes += chunk.length - from;
  }
  // A file without any member is none that is packed.
  if (bytes > 0 || isEmpty) yield memberOf(Buffer.concat(parts));
}

function memberOf(content: Buffer): Buffer {
  const deflated = deflateRawSync(content);
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
 * The blocks of a packed file, by what they say of themselves.
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
    if (unpackedBytes > MAX_UNPACKED || total > MAX_TOTAL) throw refused("unpacks to more than any run records");
    yield { at, length, unpackedBytes };
    at += length;
  }
}

/**
 * The lines of a block.
 *
 * @throws RecordRefused when it cannot be unpacked, or not to the size that it tells
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
    // Told below.
  }
  throw new RecordRefused(`${join(dir, path)} cannot be unpacked`);
}
