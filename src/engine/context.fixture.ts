import { type Json, type JsonInput, type JsonObject, stringify } from "../connect/json.js";
import type { Endpoint } from "../specification/endpoints.js";
import { findNeeded, type MissingData, missingData, type NeedName } from "../subjects/hints.js";
import type { Subjects } from "../subjects/subjects.js";
import type { Answer, StreamAnswer } from "./answer.js";
import { success } from "./answers.fixture.js";
import { bracket } from "./bracket.js";
import type { CheckContext } from "./context.js";
import { Inconclusive } from "./signals.js";

/** Answers one request: a body, or a whole answer where it is no success. */
export type FakeTarget = (endpoint: Endpoint, request: JsonObject) => JsonObject | Answer;

/** A whole body as comparable text. */
export function wholeBody(body: Json): string {
  return JSON.stringify(body, (_, value) => (typeof value === "bigint" ? value.toString() : value));
}

/**
 * The context of a check on a target that a function stands for. A stream brings one message, the body that the function
 * gives; nothing is shared.
 */
export function contextOn(
  subjects: Partial<Subjects>,
  target: FakeTarget,
  endpoint: Endpoint = "GetAllPositions",
): CheckContext & { readonly requests: string[] } {
  const requests: string[] = [];
  const ask = async (asked: Endpoint, request: JsonInput = {}): Promise<Answer> => {
    requests.push(`${asked} ${stringify(request)}`);
    const reply = target(asked, request as JsonObject);
    return { ...("outcome" in reply ? (reply as Answer) : success(reply as JsonObject)), endpoint: asked };
  };
  const listen = async (request: JsonInput): Promise<StreamAnswer> => {
    const answer = await ask("GetOpenPositionsStreaming", request);
    if (answer.outcome.kind !== "success") return { ...answer, outcome: answer.outcome };
    const messages = [{ at: 0, frame: 0, body: answer.outcome.body }];
    return { ...answer, outcome: { kind: "success", body: { messages, ended: "by-us", windowMs: 1, loopLagMs: 0 } } };
  };
  const context = {
    requests,
    endpoint,
    profile: "quick",
    seed: 1,
    runSeed: 1,
    startedAt: Date.UTC(2026, 0, 3),
    readings: {},
    subjects: {
      markets: [],
      orphanMarkets: [],
      otherMarkets: [],
      totals: {},
      wallets: [],
      positions: [],
      broken: [],
      hints: {},
      ...subjects,
    },
    ask,
    listen,
    shared: ask,
    sharedCapture: (_window: string, request: JsonInput) => listen(request),
    sharedRead: (_name: string, read: (words: unknown) => unknown) => read(context),
    bracket: (
      readA: Parameters<typeof bracket>[0],
      readB: Parameters<typeof bracket>[1],
      stable: Parameters<typeof bracket>[2] = (body) => wholeBody(body as JsonObject),
    ) => bracket(readA, readB, stable),
    subject: (need: NeedName) => context.required(findNeeded(context.subjects as Subjects, need), need),
    required<T>(subject: T | undefined, missing: string | MissingData): T {
      if (subject !== undefined) return subject;
      const { reason } = typeof missing === "string" ? missingData(context.subjects as Subjects, missing) : missing;
      throw new Inconclusive(reason);
    },
    inconclusive(reason: string): never {
      throw new Inconclusive(reason);
    },
    bodyOf({ outcome }: Answer) {
      if (outcome.kind !== "success") throw new Inconclusive("no success");
      return outcome.body;
    },
  };
  return context as unknown as CheckContext & { readonly requests: string[] };
}
