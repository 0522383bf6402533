/** Sightings: the same order or position wherever explored answers show it (R16). */

import type { AnswerOf } from "../../src/engine/answer.js";
import { bracketBudget } from "../../src/engine/bracket.js";
import type { CheckContext } from "../../src/engine/context.js";
import { ask, type Explored, explored, unexplored } from "../../src/engine/explored.js";
import { bodyKnown } from "../../src/engine/samples.js";
import type { Judgement } from "../../src/judge/judgement.js";
import { orderKey, positionKey, storedFieldsText, storedOrderText } from "../../src/judge/read-stored.js";
import {
  keyWithOrders,
  type Listing,
  sameStoredOrders,
  sameStoredPositions,
  sameStoredSnapshots,
} from "../../src/judge/relations.js";
import {
  inFirstMessage,
  messagesShowing,
  type OrderEndpoint,
  type PositionEndpoint,
  type Shown,
  type ShownBody,
  shownOrders,
  shownPositions,
} from "../../src/judge/shown.js";
import type { Profile } from "../../src/specification/profile.js";

/** Pairs of answers that are read again when they do not agree. */
const READ_AGAIN = 2;

/** Requests that a check of sightings sends at most. */
export const sightingsBudget = READ_AGAIN * bracketBudget(1, 1);

/** Rows of one answer that are compared, by profile: the first ones, the last ones, and some between. */
const comparedRows: Readonly<Record<Profile, number>> = { quick: 30, full: 300 };

/** How rows of one kind are read, told apart and compared. */
interface Kind<Endpoint, Row> {
  readonly shown: (endpoint: Endpoint, body: ShownBody) => readonly Shown<Row>[];
  readonly key: (row: Row) => string;
  readonly text: (row: Row) => string;
  readonly same: (shown: Listing<Row>, other: Listing<Row>) => Judgement;
}

/**
 * Asserts that orders which explored answers of the check's operation show have the same stored fields in explored answers of any
 * operation. Answers that do not agree are read again, so that data which changed meanwhile are not held against the target (P3).
 */
export function ordersAgree(context: CheckContext, endpoints: readonly OrderEndpoint[]): Promise<void> {
  return agree(
    { shown: shownOrders, key: orderKey, text: storedOrderText, same: sameStoredOrders },
    endpoints,
    context,
  );
}

/** The same of positions in listings and portfolios. */
export function positionsAgree(context: CheckContext, endpoints: readonly PositionEndpoint[]): Promise<void> {
  return agree(
    { shown: shownPositions, key: positionKey, text: storedFieldsText, same: sameStoredPositions },
    endpoints,
    context,
  );
}

/** The same of positions in messages of the stream: triggers change with the orders that a position names (R3). */
export function snapshotsAgree(context: CheckContext): Promise<void> {
  return agree(
    { shown: shownPositions, key: keyWithOrders, text: storedFieldsText, same: sameStoredSnapshots },
    ["GetOpenPositionsStreaming"],
    context,
  );
}

/** An explored answer that shows rows. They are read when they are needed: those of all answers take a lot of memory. */
interface Showing<Endpoint> {
  readonly endpoint: Endpoint;
  readonly explored: Explored;
}

/** The stored fields of a row, and where it was seen. */
interface Sighting<Endpoint> {
  readonly showing: Showing<Endpoint>;
  readonly key: string;
  readonly text: string;
}

async function agree<Of extends OrderEndpoint | PositionEndpoint, Row>(
  kind: Kind<Of, Row>,
  endpoints: readonly Of[],
  context: CheckContext,
): Promise<void> {
  const { endpoint: own, profile } = context;
  const all = (await Promise.allSettled(endpoints.map((each) => showings(each, context)))).flatMap((outcome) =>
    outcome.status === "fulfilled" ? outcome.value : [],
  );
  const listing = (
    { endpoint, explored: { answer } }: Showing<Of>,
    body = bodyKnown(answer as AnswerOf<ShownBody>),
  ): Listing<Row> => ({ from: endpoint, rows: body === undefined ? [] : kind.shown(endpoint, body) });
  const compared = all
    .filter(({ endpoint }) => endpoint === own)
    .flatMap((showing): readonly Sighting<Of>[] =>
      someOf(listing(showing).rows, comparedRows[profile]).map(({ row }) => ({
        showing,
        key: kind.key(row),
        text: kind.text(row),
      })),
    );
  const wanted = new Set(compared.map(({ key }) => key));
  // Those of other operations come first: what all answers of one operation have in common is seen by the others.
  const elsewhere = [...all].sort((a, b) => Number(a.endpoint === own) - Number(b.endpoint === own));
  const first = new Map<string, Sighting<Of>>();
  for (const showing of elsewhere) {
    for (const { row } of listing(showing).rows) {
      const key = kind.key(row);
      if (wanted.has(key) && !first.has(key)) first.set(key, { showing, key, text: kind.text(row) });
    }
  }
  const pairs = new Map<string, readonly [Showing<Of>, Showing<Of>]>();
  const alike: (readonly [Showing<Of>, Showing<Of>])[] = [];
  for (const { showing, key, text } of compared) {
    const other = first.get(key);
    if (!other || other.showing === showing) continue;
    const pair = [showing, other.showing] as const;
    if (text === other.text) alike.push(pair);
    else pairs.set(pair.map(({ explored: { answer } }) => answer.exchange.id).join(" "), pair);
  }
  const judge = ([one, other]: readonly [Showing<Of>, Showing<Of>]) => kind.same(listing(one), listing(other));
  const different = [...pairs.values()].filter((pair) => judge(pair).violations.length > 0);
  context.required(alike[0] ?? different[0], unexplored(context, own, "and one of another request that show the same"));
  for (const pair of alike.slice(0, 1)) {
    const [one, other] = pair;
    context.verify(one.explored.answer, other.explored.answer).holdsForAnyRows(judge(pair));
  }
  for (const [one, other] of different.slice(0, READ_AGAIN)) {
    const beside = listing(other);
    const messages = messagesShowing(kind.same(listing(one), { ...beside, rows: inFirstMessage(beside.rows) }));
    const read = ({ endpoint, explored: { planned } }: Showing<Of>, most: number | undefined) =>
      ask(context, endpoint, planned, { messages: most });
    const answers = await context.bracket(
      () => read(one, messages),
      () => read(other, messages && 1),
    );
    context
      .verify(...answers)
      .holdsForAnyRows((first, second) => kind.same(listing(one, first), listing(other, second)));
  }
}

async function showings<Of extends OrderEndpoint | PositionEndpoint>(
  endpoint: Of,
  context: CheckContext,
): Promise<readonly Showing<Of>[]> {
  const { exchanges } = await explored(context, endpoint);
  const seen = new Set<string>();
  return exchanges.flatMap((each): Showing<Of>[] => {
    const text = each.answer.exchange.response?.body ?? "";
    if (text !== "" && seen.has(text)) return [];
    seen.add(text);
    return [{ endpoint, explored: each }];
  });
}

/** So many of some rows, evenly spread. */
function someOf<Row>(rows: readonly Row[], size: number): readonly Row[] {
  const step = Math.max(1, (rows.length - 1) / Math.max(1, size - 1));
  return rows.filter((_, index) => index % step < 1);
}
