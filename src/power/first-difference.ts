/** Describes the first difference between an answer with a fault and the one without. */
import type { Exchange } from "../connect/exchange.js";
import { isJsonObject, type Json, stringify } from "../connect/json.js";
import type { KnownSubjects } from "../judge/parsed-request.js";
import { viewOf } from "./answer-view.js";

/** A place that a fault changes. */
export interface BodyDifference {
  /** `orders[3].size`; empty for the answer as a whole. */
  readonly path: string;
  readonly before: string;
  readonly after: string;
}

/** Maximum number of characters shown of a value. */
const maxShown = 120;

/** The first difference between two answers to the same request. */
export function firstDifference(before: Exchange, after: Exchange, known: KnownSubjects): BodyDifference {
  const [first, second] = [viewOf(before, known).answer, viewOf(after, known).answer];
  if (first.kind === "success" && second.kind === "success") {
    const found = differenceIn(first.body, second.body, "");
    if (found) return found;
  }
  if (first.kind === "error" && second.kind === "error" && first.code !== second.code)
    return { path: "code", before: first.code, after: second.code };
  if (first.kind === "stream" && second.kind === "stream") {
    const found = differenceIn(first.messages, second.messages, "messages") ?? timing(before, after);
    if (found) return found;
  }
  if (first.kind === second.kind) return asText(before, after);
  return { path: "", before: inWords(first), after: inWords(second) };
}

function timing({ frames = [] }: Exchange, { frames: others = [] }: Exchange): BodyDifference | undefined {
  const at = frames.findIndex((frame, index) => frame.at !== others[index]?.at);
  const [first, second] = [frames[at], others[at]];
  if (!first || !second) return undefined;
  return {
    path: `messages[${at}]`,
    before: `after ${Math.round(first.at)} ms`,
    after: `after ${Math.round(second.at)} ms`,
  };
}

/** For answers with equal content that differ in notation or headers. */
function asText({ response: first }: Exchange, { response: second }: Exchange): BodyDifference {
  if (first?.body !== second?.body)
    return { path: "", before: short(first?.body ?? ""), after: short(second?.body ?? "") };
  const header = first?.headers.find(
    ([name, value]) => !second?.headers.some((line) => line[0] === name && line[1] === value),
  );
  if (!header) return { path: "", before: "as it was", after: "with other frames" };
  const [name, value] = header;
  return {
    path: name,
    before: value,
    after: second?.headers.find(([headerName]) => headerName === name)?.[1] ?? "nothing",
  };
}

function differenceIn(first: Json | undefined, second: Json | undefined, path: string): BodyDifference | undefined {
  if (Array.isArray(first) && Array.isArray(second)) {
    const [rows, others] = [first as readonly Json[], second as readonly Json[]];
    if (rows.length !== others.length)
      return { path, before: `${rows.length} of them`, after: `${others.length} of them` };
    for (const [index, row] of rows.entries()) {
      const found = differenceIn(row, others[index], `${path}[${index}]`);
      if (found) return found;
    }
    return undefined;
  }
  if (isJsonObject(first) && isJsonObject(second)) {
    for (const name of new Set([...Object.keys(first), ...Object.keys(second)])) {
      const found = differenceIn(first[name], second[name], path === "" ? name : `${path}.${name}`);
      if (found) return found;
    }
    return undefined;
  }
  return first === second ? undefined : { path, before: shown(first), after: shown(second) };
}

function inWords(answer: { readonly kind: string; readonly code?: string }): string {
  switch (answer.kind) {
    case "success":
      return "a success";
    case "stream":
      return "a stream";
    case "error":
      return `the error ${answer.code}`;
    default:
      return "no Connect answer";
  }
}

function shown(value: Json | undefined): string {
  return value === undefined ? "nothing" : short(stringify(value));
}

function short(text: string): string {
  return text.length <= maxShown ? text : `${text.slice(0, maxShown)}…`;
}
