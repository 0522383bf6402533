/**
 * A file is not taken: it cannot be read, is none that may be read, is too large, or holds something else than it should.
 * The message is one sentence for the user and names the file.
 */
export class FileRefused extends Error {
  override readonly name: string = "FileRefused";

  /** @param missing nothing is there under the name */
  constructor(
    message: string,
    readonly missing = false,
  ) {
    super(message);
  }
}

/** Bytes in words: `1 MB`, `64 kB`. */
export function inBytes(bytes: number): string {
  if (bytes >= 1024 * 1024) return `${Math.round(bytes / 1024 / 1024)} MB`;
  return bytes >= 1024 ? `${Math.round(bytes / 1024)} kB` : `${bytes} bytes`;
}
