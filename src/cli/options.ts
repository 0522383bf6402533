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
export function percent(text: string): number {
  return numberIn(text, 0, 100);
}

/** Parses an option's value as a number of seconds, of at most a day. */
export function seconds(text: string): number {
  return numberIn(text, 0, 86_400);
}

/** Parses an option's value as a duration, in milliseconds. */
export function duration(text: string): number {
  const ms = durationMs(text);
  if (ms !== undefined) return ms;
  throw new InvalidArgumentError(`It must be ${durationHelp}.`);
}

/** Parses an option's value as an integer within the bounds, both inclusive. */
export function integer(low: number, high: number): (value: string) => number {
  return (value) => {
    const number = /^\d+$/.test(value) ? Number(value) : Number.NaN;
    if (number >= low && number <= high) return number;
    throw new InvalidArgumentError(`It must be an integer from ${low} to ${high}.`);
  };
}

function numberIn(text: string, least: number, most: number): number {
  const value = Number(text);
  if (text.trim() === "" || !(value >= least && value <= most)) {
    throw new InvalidArgumentError(`It must be a number from ${least} to ${most}.`);
  }
  return value;
}
