import { promisify } from "node:util";
import { brotliDecompress, gunzip, inflate, inflateRaw } from "node:zlib";
import { type ExchangeFailure, type HeaderLines, headerValues } from "./exchange.js";

const unzip = promisify(gunzip);
const unbrotli = promisify(brotliDecompress);
const undeflate = promisify(inflate);
const undeflateRaw = promisify(inflateRaw);

type Decoder = (bytes: Buffer, limits: { maxOutputLength: number }) => Promise<Buffer>;

const decoders: Readonly<Record<string, Decoder>> = {
  gzip: unzip,
  "x-gzip": unzip,
  br: unbrotli,
  // The standard requires a zlib header for deflate, but some servers leave it out. The first byte tells which it is.
  deflate: (bytes, limits) => (((bytes[0] ?? 0) & 0x0f) === 8 ? undeflate(bytes, limits) : undeflateRaw(bytes, limits)),
};

/** The content codings of a response in the order they were applied, without `identity`. */
export function contentCodings(headers: HeaderLines): string[] {
  return headerValues(headers, "content-encoding")
    .flatMap((value) => value.split(","))
    .map((coding) => coding.trim().toLowerCase())
    .filter((coding) => coding !== "" && coding !== "identity");
}

/**
 * Undoes the content codings of a body.
 *
 * @param limit largest accepted result, in bytes
 */
export async function decodeContent(
  bytes: Buffer,
  codings: readonly string[],
  limit: number,
): Promise<Buffer | ExchangeFailure> {
  let decoded = bytes;
  for (const coding of codings.toReversed()) {
    const decode = Object.hasOwn(decoders, coding) ? decoders[coding] : undefined;
    if (decode === undefined)
      return { kind: "protocol", message: `unknown content-encoding ${JSON.stringify(coding)}` };
    try {
      decoded = await decode(decoded, { maxOutputLength: limit });
    } catch (error) {
      if (error instanceof RangeError)
        return { kind: "too-large", message: `the ${coding} body is larger than ${limit} bytes` };
      const reason = error instanceof Error ? error.message : String(error);
      return { kind: "protocol", message: `the body is not ${coding}, as its content-encoding says: ${reason}` };
    }
  }
  return decoded;
}

const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const lenient = new TextDecoder("utf-8", { ignoreBOM: true });

/** Decodes bytes as UTF-8. A byte order mark is kept; invalid sequences are replaced and flagged. */
export function decodeText(bytes: Uint8Array): { readonly text: string; readonly invalidUtf8?: true } {
  try {
    return { text: strict.decode(bytes) };
  } catch {
    return { text: lenient.decode(bytes), invalidUtf8: true };
  }
}
