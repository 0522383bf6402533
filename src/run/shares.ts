import type { SuiteDefinition } from "../engine/suite.js";
import type { Session } from "../session/session-data.js";

type Lane = SuiteDefinition["lane"];

/** What part of the requests that a target may be sent at once, and in a second, each worker of a lane has. */
export type Shares = Readonly<Record<Lane, number>>;

/** Whose checks wait for messages most of the time has a quarter. */
const timingShare = 1 / 4;

/** The shares of the workers of each lane, by how many of them there are. */
export function sharesOf(workers: Readonly<Record<Lane, number>>): Shares {
  const timing = workers.bulk === 0 ? 1 : timingShare;
  const bulk = workers.timing === 0 ? 1 : 1 - timingShare;
  return { timing, bulk: bulk / Math.max(1, workers.bulk) };
}

/** The session as a worker sees it that has a share of what the target is sent. */
export function withShare(session: Session, share: number): Session {
  const { concurrency, rate } = session.target;
  const own = {
    concurrency: Math.max(1, Math.floor(concurrency * share)),
    ...(rate === undefined ? {} : { rate: rate * share }),
  };
  return { ...session, target: { ...session.target, ...own } };
}
