import { InvalidArgumentError, Option } from "commander";
import { durationHelp, durationMs } from "../config/duration.js";

/** `--reading B4=best-first`, shared by all commands that judge. */
export function readingOption(): Option {
  return new Option(
    "--reading <choice>",
    "judge by an alternative reading of the specification, such as B4=best-first; may be repeated",
  )
    .argParser(collect)
    .default([]);
}

/** Parses an option that may be repeated. */
export function collect(value: string, previous: readonly string[] = []): string[] {
  return [...previous, value];
}

/** Parses an option's value as a share, in percent. */
export const percent = numberUpTo(100);

/** Parses an option's value as a number of seconds, of at most a day. */
export const seconds = numberUpTo(86_400);

/** Parses an option's value as a duration, in milliseconds. */
export function duration(text: string): number {
  const ms = durationMs(text);
  if (ms !== undefined) return ms;
  throw new InvalidArgumentError(`It must be ${durationHelp}.`);
}

/** Parses an option's value as an integer from 0 to `most`. */
export function integerUpTo(most: number): (value: string) => number {
  return (value) => {
    const number = /^\d+$/.test(value) ? Number(value) : Number.NaN;
    if (number <= most) return number;
    throw new InvalidArgumentError(`It must be an integer from 0 to ${most}.`);
  };
}

function numberUpTo(most: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (text.trim() !== "" && value >= 0 && value <= most) return value;
    throw new InvalidArgumentError(`It must be a number from 0 to ${most}.`);
  };
}
