import type { JsonObject } from "../connect/json.js";
import type { Rewrite } from "../exploration/rewrites.js";
import { combine, type Judgement } from "../judge/judgement.js";
import type { ParsedRequest } from "../judge/parsed-request.js";
import { sameAnswer } from "../judge/same-answer.js";
import type { Endpoint } from "../specification/endpoints.js";
import type { Profile } from "../specification/profile.js";

/** A relation between the answers to two requests, one rewritten from the other. */
export interface Relation {
  /** Derives the first request from an explored one; by default the explored request itself. */
  readonly from?: Rewrite;
  readonly rewrite: Rewrite;
  /** Judges `original` by `rewritten`. Violations with `answer: 1` are in `original`. */
  readonly holds: (rewritten: JsonObject, original: JsonObject, asked: ParsedRequest) => Judgement;
  /** Which requests it applies to; by default all that can be rewritten. */
  readonly where?: (asked: ParsedRequest) => boolean;
  /** Applies only if both requests succeed; refusals are left to another rule. */
  readonly answered?: true;
  /** Sends the rewritten request as it is, not the plainest one that means the same. */
  readonly verbatim?: true;
  /** Tells which explored answers show most; they are chosen first. */
  readonly preferred?: (body: JsonObject, asked: ParsedRequest) => boolean;
  /** How many explored requests are rewritten, by profile; `all` to judge every one by the answer to its plain form. */
  readonly sample?: Readonly<Record<Profile, number>> | "all";
}

/** A rule on two requests that mean the same. */
export interface Equivalence extends Pick<Relation, "rewrite" | "where" | "answered" | "verbatim"> {
  /** Why the requests are equivalent: `a limit of 0 is an omitted one`. */
  readonly why: string;
  /** Judges anything else that must agree, like `holds`. */
  readonly also?: (rewritten: JsonObject, original: JsonObject) => Judgement;
}

/** The relation that equivalent requests get the same answer, judged on all explored requests. */
export function asRelation(endpoint: Endpoint, { why, also, ...pair }: Equivalence): Relation {
  // The answer to the plainer request is the expected one.
  const same = sameAnswer(endpoint, why);
  return {
    ...pair,
    holds: also ? (plain, original) => combine([same(plain, original), also(plain, original)]) : same,
    sample: "all",
  };
}
