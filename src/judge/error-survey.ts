/** Summarizes the errors among answers, for the observations of E3 (HTTP status) and E4 (codes). */
import { type ConnectCode, connectCodes } from "../specification/enums.js";
import type { WholeAnswer } from "./whole-answer.js";

/** A code, and the first HTTP status that came with it. */
export interface SeenCode {
  readonly code: string;
  readonly status: number;
  /** The HTTP status that the Connect protocol maps the code to; absent if it is not a Connect code. */
  readonly mapped?: number;
  /** How many answers had it. */
  readonly count: number;
}

/** The error codes among the answers, in order of first appearance. */
export function codesSeen(answers: readonly WholeAnswer[]): readonly SeenCode[] {
  const seen = new Map<string, SeenCode>();
  for (const { outcome, exchange } of answers) {
    if (outcome.kind !== "error") continue;
    const code = String(outcome.body.code);
    const known = seen.get(code);
    const mapped = code in connectCodes ? { mapped: connectCodes[code as ConnectCode] } : {};
    seen.set(
      code,
      known
        ? { ...known, count: known.count + 1 }
        : { code, status: exchange.response?.status ?? 0, count: 1, ...mapped },
    );
  }
  return [...seen.values()];
}

/** The codes in a few words, such as `invalid_argument (11)`, and how many answers were not Connect errors. */
export function codesInWords(answers: readonly WholeAnswer[]): string {
  const codes = codesSeen(answers);
  const others = answers.length - codes.reduce((sum, { count }) => sum + count, 0);
  const texts = codes.map(({ code, count }) => `${code} (${count})`);
  return [...texts, ...(others > 0 ? [`no Connect error (${others})`] : [])].join(", ");
}
