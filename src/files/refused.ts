/**
 * A file is not accepted: it cannot or must not be read, is too large, or does not contain what it should. The message is
 * one sentence for the user and names the file.
 */
export class FileRefused extends Error {
  override readonly name: string = "FileRefused";

  /** @param missing whether the file does not exist */
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
