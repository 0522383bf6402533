import { getSystemErrorMap } from "node:util";

/** The most common system errors in words. */
const reasons: Readonly<Record<string, string>> = {
  ENOSPC: "no space is left on the disk",
  EDQUOT: "the disk quota is used up",
  EFBIG: "the file would be larger than the system allows",
  EROFS: "the disk is read-only",
  EACCES: "permission denied",
  EPERM: "permission denied",
  EIO: "the disk or device reports an error",
  EMFILE: "too many files are open",
  ENFILE: "too many files are open",
  ENOENT: "it does not exist",
  EISDIR: "it is a folder",
  ENOTDIR: "a part of the path is a file",
  ENAMETOOLONG: "the name is too long",
  ELOOP: "the links go round in circles",
  EPIPE: "nobody reads it any more",
};

/** An error of the operating system, as Node reports it. */
export interface SystemError extends Error {
  readonly code: string;
  readonly path?: string;
  readonly syscall?: string;
}

/** Whether an error comes from a system call. */
export function isSystemError(error: unknown): error is SystemError {
  return error instanceof Error && "code" in error && /^E[A-Z0-9]+$/.test(String(error.code)) && "syscall" in error;
}

/** Why a system call failed: `no space is left on the disk (ENOSPC)`. */
export function systemErrorReason({ code, message }: SystemError): string {
  const known = reasons[code] ?? [...getSystemErrorMap().values()].find(([name]) => name === code)?.[1] ?? message;
  return `${known} (${code})`;
}
