import type { Lane } from "../engine/suite.js";
import type { Session } from "../session/session-data.js";

/** The fraction of the target's concurrency and rate limits that each worker of a lane gets. */
export type Shares = Readonly<Record<Lane, number>>;

/** The timing lane gets a quarter, since its checks mostly wait for messages. */
const timingShare = 1 / 4;

/** Computes the shares from the number of workers in each lane. */
export function sharesOf(workers: Readonly<Record<Lane, number>>): Shares {
  const timing = workers.bulk === 0 ? 1 : timingShare;
  const bulk = workers.timing === 0 ? 1 : 1 - timingShare;
  return { timing, bulk: bulk / Math.max(1, workers.bulk) };
}

/** The session with the target's limits reduced to a worker's share. */
export function withShare(session: Session, share: number): Session {
  const { concurrency, rate } = session.target;
  const limits = {
    concurrency: Math.max(1, Math.floor(concurrency * share)),
    ...(rate !== undefined && { rate: rate * share }),
  };
  return { ...session, target: { ...session.target, ...limits } };
}
