/** The invariants of the stream (§4.2). */
import { type Invariant, walletOf } from "./invariant.js";
import type { Snapshots } from "./located-rows.js";
import { fullSnapshots, orderReferences, positionsOwnedBy } from "./snapshots.js";

export const streamInvariants: readonly Invariant[] = [
  {
    rule: "get-open-positions-streaming.owner",
    endpoint: "GetOpenPositionsStreaming",
    judge: (body, context) => positionsOwnedBy(walletOf(context))(body as Snapshots),
  },
  {
    rule: "get-open-positions-streaming.full-snapshot",
    endpoint: "GetOpenPositionsStreaming",
    judge: (body, context) => fullSnapshots(walletOf(context), context.sentAt)(body as Snapshots),
  },
  {
    rule: "get-open-positions-streaming.order-references",
    endpoint: "GetOpenPositionsStreaming",
    judge: (body) => orderReferences(body as Snapshots),
  },
];
