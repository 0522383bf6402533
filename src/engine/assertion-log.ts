import type { HttpRequest } from "../connect/exchange.js";
import type { Violation } from "../judge/judgement.js";
import type { RuleId } from "../specification/catalogue/index.js";
import type { Endpoint } from "../specification/endpoints.js";
import { getOrInsert } from "../specification/get-or-insert.js";
import { memoize } from "../specification/memoize.js";
import { affectedRows } from "./affected-rows.js";
import type { AnswerOf, Capture } from "./answer.js";
import { requestInWords } from "./request-in-words.js";
import type { SampledAnswer, ViolationGroup, ViolationPlace } from "./result.js";
import { placeInWhole, sampledOf } from "./samples.js";
import { excerptAround, pointerOf } from "./value-at.js";

/** How many places are kept per violation; further ones are only counted. */
const placesKept = 3;
/** How many other requests that showed a violation are kept. */
const otherRequestsKept = 2;
/** How many distinct differences are kept: enough to see whether the same ones are found again (P3). */
const foundKept = 10_000;
/** How many sampled answers are listed. */
const sampledKept = 20;

interface OpenFinding {
  count: number;
  places: readonly ViolationPlace[];
  /** The answer to the plainest request that showed it. */
  answer: AnswerOf<unknown>;
  /** The places in that answer's body, the first few thousand. */
  paths: Set<string>;
  readonly comparedWith: readonly AnswerOf<unknown>[];
  /** The place in the answer that it was compared with, if that is one. */
  readonly otherPath: string | undefined;
  /** Requests of further answers, in words; may include the plainest. */
  readonly requests: Set<string>;
}

/** What was asserted of one rule on the answers of one operation. */
export interface RuleLog {
  readonly rule: RuleId;
  readonly endpoint: Endpoint;
  readonly log: AssertionLog;
}

/** The log of a rule on an operation, from those of many; a new one if there is none yet. */
export function logOf(logs: Map<string, RuleLog>, rule: RuleId, endpoint: Endpoint): AssertionLog {
  return getOrInsert(logs, `${rule} ${endpoint}`, () => ({ rule, endpoint, log: new AssertionLog() })).log;
}

/** What a check has asserted and found so far. Violations with the same cause are grouped into one, with a count. */
export class AssertionLog {
  #assertions = 0;
  #missing: string | undefined;
  #searched: { readonly what: string; readonly places: number } | undefined;
  readonly #violations = new Map<string, OpenFinding>();
  /** Identifies each violation by its row, wherever it is in the array, or else by its place and what was seen. */
  readonly #found = new Set<string>();
  /** Those that changing data explains only once. */
  readonly #lasting = new Set<string>();
  readonly #sampled = new Map<string, SampledAnswer>();

  get assertions(): number {
    return this.#assertions;
  }

  get violated(): boolean {
    return this.#violations.size > 0;
  }

  /** For each cause, the first answer that showed it. */
  get violating(): readonly AnswerOf<unknown>[] {
    return [...this.#violations.values()].map(({ answer }) => answer);
  }

  /** Counts assertions made on real data. */
  addAssertions(count: number): void {
    this.#assertions += count;
  }

  /** Notes that an answer was judged; it is kept only if it is a sample. */
  noteSample(answer: AnswerOf<unknown>): void {
    for (const sampled of sampledOf(answer)) {
      if (this.#sampled.size < sampledKept) this.#sampled.set(`${sampled.exchange} ${sampled.path}`, sampled);
    }
  }

  /** The answers that were judged by a sample. */
  get sampled(): readonly SampledAnswer[] {
    return [...this.#sampled.values()];
  }

  /** Notes what data a judge would have needed. It becomes the reason of the verdict if the check examines nothing. */
  noteMissing(missing: string): void {
    this.#missing ??= missing;
  }

  get missing(): string | undefined {
    return this.#missing;
  }

  /** Notes that something optional was looked for in this many places of an answer and not found. */
  noteSearched(what: string, places: number): void {
    const before = this.#searched ?? { what, places: 0 };
    this.#searched = { ...before, places: before.places + places };
  }

  /** What was looked for and not found, and in how many places. */
  get searched(): { readonly what: string; readonly places: number } | undefined {
    return this.#searched;
  }

  /** Records a violation seen in an answer, and the answers it was compared with, if any. */
  addViolation(
    answer: AnswerOf<unknown>,
    { path, expected, seen, row, otherPath, lasting }: Omit<Violation, "answer">,
    comparedWith: readonly AnswerOf<unknown>[] = [],
  ): void {
    const cause = `${answer.endpoint} ${path.replace(/\[\d+\]/g, "[*]")}`;
    const differences =
      row === undefined
        ? [`${answer.endpoint} ${path} ${expected} ${seen}`]
        : [row].flat().map((one) => `${cause} ${one}`);
    for (const difference of differences.slice(0, foundKept - this.#found.size)) {
      this.#found.add(difference);
      if (lasting) this.#lasting.add(difference);
    }
    const whole = placeInWhole(answer, path);
    const place = { exchange: answer.exchange.id, path: whole.path, expected, seen: seen + whole.remark };
    const paths = new Set([path]);
    const violation = this.#violations.get(cause);
    if (!violation) {
      this.#violations.set(cause, {
        count: 1,
        places: [place],
        answer,
        paths,
        comparedWith,
        otherPath,
        requests: new Set(),
      });
      return;
    }
    violation.count++;
    const plainer = isPlainer(violation, answer, comparedWith);
    if (answer !== violation.answer && violation.requests.size <= otherRequestsKept) {
      violation.requests.add(requestInWords((plainer ? violation.answer : answer).exchange.request));
    }
    if (plainer) {
      Object.assign(violation, { answer, paths, places: [place, ...violation.places].slice(0, placesKept) });
      return;
    }
    if (violation.places.length < placesKept) violation.places = [...violation.places, place];
    if (answer === violation.answer && violation.paths.size < foundKept) violation.paths.add(path);
  }

  /** The differences found, each identified by its row or place and by what differs (P3). */
  get found(): ReadonlySet<string> {
    return this.#found;
  }

  /** Whether changing data explains a difference only once. */
  isLasting(difference: string): boolean {
    return this.#lasting.has(difference);
  }

  /** Merges another log into this one. */
  absorb(other: AssertionLog): void {
    this.#assertions += other.#assertions;
    this.#missing ??= other.#missing;
    if (other.#searched) this.noteSearched(other.#searched.what, other.#searched.places);
    for (const [key, sampled] of other.#sampled) if (this.#sampled.size < sampledKept) this.#sampled.set(key, sampled);
    for (const found of other.#found) if (this.#found.size < foundKept) this.#found.add(found);
    for (const found of other.#lasting) if (this.#found.has(found)) this.#lasting.add(found);
    for (const [cause, violation] of other.#violations) {
      const known = this.#violations.get(cause);
      if (known) known.count += violation.count;
      else this.#violations.set(cause, violation);
    }
  }

  /**
   * The violations, in the order in which their causes first appeared, each with the plainest request that showed it.
   *
   * @param curl renders a request as a shell command
   */
  violations(curl: (answer: AnswerOf<unknown>) => string): ViolationGroup[] {
    return [...this.#violations.values()].map(({ count, places, answer, paths, requests, ...other }) => ({
      message: sentence(places[0], count),
      operation: answer.endpoint,
      count,
      places,
      pointer: pointerOf(places[0]?.path ?? ""),
      excerpt: excerptAround(bodyOf(answer), [...paths][0] ?? "", places[0]?.expected),
      ...rowsOf(answer, paths),
      request: requestInWords(answer.exchange.request),
      ...otherRequests(requests, requestInWords(answer.exchange.request)),
      ...otherSide(other, curl),
      curl: curl(answer),
    }));
  }
}

function otherRequests(requests: ReadonlySet<string>, shown: string): Pick<ViolationGroup, "otherRequests"> {
  const others = [...requests].filter((request) => request !== shown).slice(0, otherRequestsKept);
  return others.length > 0 ? { otherRequests: others } : {};
}

/** The answers that one was compared with, in one text. */
function otherSide(
  { comparedWith, otherPath }: Pick<OpenFinding, "comparedWith" | "otherPath">,
  curl: (answer: AnswerOf<unknown>) => string,
): Pick<ViolationGroup, "comparedWith"> {
  const [first, second] = comparedWith;
  if (first === undefined) return {};
  const request = comparedWith.map(({ exchange }) => requestInWords(exchange.request)).join("; ");
  const place = second === undefined && otherPath !== undefined && { path: placeInWhole(first, otherPath).path };
  return {
    comparedWith: { exchange: first.exchange.id, request, ...place, curl: comparedWith.map(curl).join("; ") },
  };
}

function rowsOf(answer: AnswerOf<unknown>, paths: ReadonlySet<string>): Pick<ViolationGroup, "rows"> {
  const rows = answer.outcome.kind === "success" ? affectedRows(bodyOf(answer), paths) : undefined;
  return rows === undefined ? {} : { rows };
}

/** What the paths of violations refer to: the body of an answer or of an error, or the bodies of a stream's messages. */
function bodyOf({ outcome }: AnswerOf<unknown>): unknown {
  if (!("body" in outcome)) return undefined;
  return isCapture(outcome.body) ? { messages: outcome.body.messages.map(({ body }) => body) } : outcome.body;
}

/** Whether a stream was watched. Of a stream that was only asked for one answer the body is that of its first message. */
function isCapture(body: unknown): body is Capture {
  return typeof body === "object" && body !== null && "windowMs" in body && "messages" in body;
}

/** Whether an answer shows a violation with a plainer request than before. Answers that were compared stay together. */
function isPlainer(
  before: OpenFinding,
  answer: AnswerOf<unknown>,
  comparedWith: readonly AnswerOf<unknown>[],
): boolean {
  if (answer === before.answer || before.comparedWith.length > 0 || comparedWith.length > 0) return false;
  return lengthOf(answer) < lengthOf(before.answer);
}

const requestLength = memoize((request: HttpRequest) => requestInWords(request).length);

/**
 * How long a request is in words, with the one that came right before it if that was the point: any dressing of its values
 * and any unusual header makes it longer.
 */
function lengthOf({ exchange, after }: AnswerOf<unknown>): number {
  return requestLength(exchange.request) + (after ? requestLength(after) : 0);
}

function sentence(place: ViolationPlace | undefined, count: number): string {
  if (!place) return "";
  const where = place.path === "" ? "" : `${place.path}: `;
  const times = count === 1 ? "" : ` (${count} places)`;
  return `${where}expected ${place.expected}, got ${place.seen}${times}`;
}
