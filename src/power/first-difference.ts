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
const mostShown = 120;

/** The first difference between two answers to the same request. */
export function firstDifference(before: Exchange, after: Exchange, known: KnownSubjects): BodyDifference {
  const [one, other] = [viewOf(before, known).answer, viewOf(after, known).answer];
  if (one.kind === "success" && other.kind === "success") {
    const found = differenceIn(one.body, other.body, "");
    if (found) return found;
  }
  if (one.kind === "error" && other.kind === "error" && one.code !== other.code)
    return { path: "code", before: one.code, after: other.code };
  if (one.kind === "stream" && other.kind === "stream") {
    const found = differenceIn(one.messages, other.messages, "messages") ?? timing(before, after);
    if (found) return found;
  }
  if (one.kind === other.kind) return asText(before, after);
  return { path: "", before: inWords(one), after: inWords(other) };
}

function timing({ frames = [] }: Exchange, { frames: others = [] }: Exchange): BodyDifference | undefined {
  const at = frames.findIndex((frame, index) => frame.at !== others[index]?.at);
  const [one, other] = [frames[at], others[at]];
  if (!one || !other) return undefined;
  return {
    path: `messages[${at}]`,
    before: `after ${Math.round(one.at)} ms`,
    after: `after ${Math.round(other.at)} ms`,
  };
}

/** For answers with equal content that differ in notation or headers. */
function asText({ response: one }: Exchange, { response: other }: Exchange): BodyDifference {
  if (one?.body !== other?.body) return { path: "", before: short(one?.body ?? ""), after: short(other?.body ?? "") };
  const header = one?.headers.find(
    ([name, value]) => !other?.headers.some((line) => line[0] === name && line[1] === value),
  );
  if (!header) return { path: "", before: "as it was", after: "with other frames" };
  const [name, value] = header;
  return {
    path: name,
    before: value,
    after: other?.headers.find(([headerName]) => headerName === name)?.[1] ?? "nothing",
  };
}

function differenceIn(one: Json | undefined, other: Json | undefined, path: string): BodyDifference | undefined {
  if (Array.isArray(one) && Array.isArray(other)) {
    const [rows, others] = [one as readonly Json[], other as readonly Json[]];
    if (rows.length !== others.length)
      return { path, before: `${rows.length} of them`, after: `${others.length} of them` };
    return firstOf(rows.map((row, index) => () => differenceIn(row, others[index], `${path}[${index}]`)));
  }
  if (isJsonObject(one) && isJsonObject(other)) {
    const names = new Set([...Object.keys(one), ...Object.keys(other)]);
    return firstOf(
      [...names].map((name) => () => differenceIn(one[name], other[name], path === "" ? name : `${path}.${name}`)),
    );
  }
  return one === other ? undefined : { path, before: shown(one), after: shown(other) };
}

function firstOf(attempts: readonly (() => BodyDifference | undefined)[]): BodyDifference | undefined {
  for (const attempt of attempts) {
    const found = attempt();
    if (found) return found;
  }
  return undefined;
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
  return text.length <= mostShown ? text : `${text.slice(0, mostShown)}…`;
}
