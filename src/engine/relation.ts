import type { JsonObject } from "../connect/json.js";
import type { Rewrite } from "../exploration/rewrites.js";
import { answersSwapped, combine, type Judgement } from "../judge/judgement.js";
import type { ParsedRequest } from "../judge/parsed-request.js";
import { sameAnswer } from "../judge/same-answer.js";
import type { Endpoint } from "../specification/endpoints.js";
import type { Profile } from "../specification/profile.js";

/** A relation between the answers to two requests, one rewritten from the other. */
export interface Relation {
  /** Derives the first request from an explored one; by default the explored request itself. */
  readonly from?: Rewrite;
  readonly rewrite: Rewrite;
  /** What must hold between the original answer and the answer to the rewritten request. */
  readonly holds: (original: JsonObject, rewritten: JsonObject, asked: ParsedRequest) => Judgement;
  /** Which requests it applies to; by default all that can be rewritten. */
  readonly where?: (asked: ParsedRequest) => boolean;
  /** Applies only if both requests succeed; refusals are left to another rule. */
  readonly answered?: true;
  /** Tells which explored answers show most; they are chosen first. */
  readonly preferred?: (body: JsonObject, asked: ParsedRequest) => boolean;
  /** How many explored requests are rewritten, by profile; `all` to judge every one by the answer to its plain form. */
  readonly sample?: Readonly<Record<Profile, number>> | "all";
}

/** A rule on two requests that mean the same. */
export interface Equivalence extends Pick<Relation, "rewrite" | "where" | "answered"> {
  /** Why the requests are equivalent: `a limit of 0 is an omitted one`. */
  readonly why: string;
  /** Anything else that must agree. */
  readonly also?: (original: JsonObject, rewritten: JsonObject) => Judgement;
}

/** The relation that equivalent requests get the same answer, judged on all explored requests. */
export function asRelation(endpoint: Endpoint, { rewrite, where, answered, why, also }: Equivalence): Relation {
  const isLike = sameAnswer(endpoint, why);
  // The answer to the plainer request is the expected one.
  const same: Relation["holds"] = (one, other) => answersSwapped(isLike(other, one));
  return {
    rewrite,
    ...(where && { where }),
    ...(answered && { answered }),
    holds: also ? (one, other, asked) => combine([same(one, other, asked), also(one, other)]) : same,
    sample: "all",
  };
}
