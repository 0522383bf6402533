import type { Violation } from "../judge/judgement.js";
import type { AnswerOf } from "./answer.js";
import { requestInWords } from "./request-in-words.js";
import type { Place, SampledAnswer, ViolationGroup } from "./result.js";
import { placeInWhole, sampledOf } from "./samples.js";
import { excerptAround, pointerOf } from "./value-at.js";

/** How many places of one violation are kept; the rest is only counted. */
const PLACES_KEPT = 3;
/** How many differences are told apart: enough to see whether the same ones are found again (P3). */
const FOUND_KEPT = 10_000;
/** How many sampled answers are named. */
const SAMPLED_KEPT = 20;

interface OpenFinding {
  count: number;
  readonly places: Place[];
  readonly answer: AnswerOf<unknown>;
  /** The first place in the body that was read. */
  readonly path: string;
  readonly comparedWith: AnswerOf<unknown> | undefined;
}

/** What a check has asserted and found so far. Violations of one cause become one violation with a count. */
export class AssertionLog {
  #assertions = 0;
  #missing: string | undefined;
  #absent: string | undefined;
  #searched = 0;
  readonly #violations = new Map<string, OpenFinding>();
  /** What each violation was about: its row, wherever in the array it stood, or its place and what was there. */
  readonly #found = new Set<string>();
  readonly #sampled = new Map<string, SampledAnswer>();

  get assertions(): number {
    return this.#assertions;
  }

  get violated(): boolean {
    return this.#violations.size > 0;
  }

  /** Of each cause of violations the first answer that showed it. */
  get violating(): readonly AnswerOf<unknown>[] {
    return [...this.#violations.values()].map(({ answer }) => answer);
  }

  /** Counts assertions made on real data. */
  examined(count: number): void {
    this.#assertions += count;
  }

  /** Notes that an answer was judged, should only a sample of it be known. */
  judged(answer: AnswerOf<unknown>): void {
    for (const sampled of sampledOf(answer)) {
      if (this.#sampled.size < SAMPLED_KEPT) this.#sampled.set(`${sampled.exchange} ${sampled.path}`, sampled);
    }
  }

  /** Answers of which a sample was judged. */
  get sampled(): readonly SampledAnswer[] {
    return [...this.#sampled.values()];
  }

  /** Notes what data a judge would have needed: the reason of the verdict, should the check see nothing at all. */
  lack(missing: string): void {
    this.#missing ??= missing;
  }

  get missing(): string | undefined {
    return this.#missing;
  }

  /** Notes that something which may be absent was looked for in so many places of an answer, in vain. */
  sought(what: string, places: number): void {
    this.#absent ??= what;
    this.#searched += places;
  }

  /** What was looked for in vain. */
  get absent(): string | undefined {
    return this.#absent;
  }

  /** In how many places it was looked for. */
  get searched(): number {
    return this.#searched;
  }

  /** Records a violation seen in an answer, which may have been compared with another one. */
  violation(
    answer: AnswerOf<unknown>,
    { path, expected, seen, row }: Omit<Violation, "answer">,
    comparedWith?: AnswerOf<unknown>,
  ): void {
    const cause = `${answer.endpoint} ${path.replace(/\[\d+\]/g, "[*]")}`;
    if (this.#found.size < FOUND_KEPT) {
      this.#found.add(row === undefined ? `${answer.endpoint} ${path} ${expected} ${seen}` : `${cause} ${row}`);
    }
    const violation = this.#violations.get(cause);
    const whole = placeInWhole(answer, path);
    const place: Place = { exchange: answer.exchange.id, path: whole.path, expected, seen: seen + whole.remark };
    if (!violation) this.#violations.set(cause, { count: 1, places: [place], answer, path, comparedWith });
    else {
      violation.count++;
      if (violation.places.length < PLACES_KEPT) violation.places.push(place);
    }
  }

  /** What was found, each difference by its place or its row, and by what it is (P3). */
  get found(): ReadonlySet<string> {
    return this.#found;
  }

  /** Takes over all that another log holds. */
  absorb(other: AssertionLog): void {
    this.#assertions += other.#assertions;
    this.#missing ??= other.#missing;
    this.#absent ??= other.#absent;
    this.#searched += other.#searched;
    for (const [key, sampled] of other.#sampled) if (this.#sampled.size < SAMPLED_KEPT) this.#sampled.set(key, sampled);
    for (const found of other.#found) if (this.#found.size < FOUND_KEPT) this.#found.add(found);
    for (const [cause, violation] of other.#violations) {
      const own = this.#violations.get(cause);
      if (own) own.count += violation.count;
      else this.#violations.set(cause, violation);
    }
  }

  /** The violations, in the order in which their causes were first seen. `curl` renders a request for a shell. */
  violations(curl: (answer: AnswerOf<unknown>) => string): ViolationGroup[] {
    return [...this.#violations.values()].map(({ count, places, answer, path, comparedWith }) => ({
      message: sentence(places[0], count),
      operation: answer.endpoint,
      count,
      places,
      pointer: pointerOf(places[0]?.path ?? ""),
      excerpt:
        answer.outcome.kind === "success" || answer.outcome.kind === "sample"
          ? excerptAround(answer.outcome.body, path)
          : "",
      request: requestInWords(answer.exchange.request),
      ...(comparedWith && {
        comparedWith: {
          exchange: comparedWith.exchange.id,
          request: requestInWords(comparedWith.exchange.request),
          curl: curl(comparedWith),
        },
      }),
      curl: curl(answer),
    }));
  }
}

function sentence(place: Place | undefined, count: number): string {
  if (!place) return "";
  const where = place.path === "" ? "" : `${place.path}: `;
  const times = count === 1 ? "" : ` (${count} places)`;
  return `${where}expected ${place.expected}, got ${place.seen}${times}`;
}
