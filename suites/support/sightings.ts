/** Sightings: the same order or position wherever explored answers show it (R16). */

import type { AnswerOf } from "../../src/engine/answer.js";
import { bracketBudget } from "../../src/engine/bracket.js";
import type { CheckContext } from "../../src/engine/context.js";
import { ask, type Explored, explored, unexplored } from "../../src/engine/explored.js";
import { bodyKnown } from "../../src/engine/samples.js";
import type { Judgement } from "../../src/judge/judgement.js";
import { orderKey, positionKey, storedFieldsText, storedOrderText } from "../../src/judge/read-stored.js";
import { type Listing, sameStoredOrders, sameStoredPositions } from "../../src/judge/relations.js";
import {
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

/** The same of positions. */
export function positionsAgree(context: CheckContext, endpoints: readonly PositionEndpoint[]): Promise<void> {
  return agree(
    { shown: shownPositions, key: positionKey, text: storedFieldsText, same: sameStoredPositions },
    endpoints,
    context,
  );
}

/** An explored answer and the rows that it shows. */
interface Showing<Endpoint, Row> {
  readonly endpoint: Endpoint;
  readonly explored: Explored;
  readonly rows: readonly Shown<Row>[];
}

async function agree<Of extends OrderEndpoint | PositionEndpoint, Row>(
  kind: Kind<Of, Row>,
  endpoints: readonly Of[],
  context: CheckContext,
): Promise<void> {
  const { endpoint: own, profile } = context;
  const all = (await Promise.allSettled(endpoints.map((each) => showings(kind, each, context)))).flatMap((outcome) =>
    outcome.status === "fulfilled" ? outcome.value : [],
  );
  // Those of other operations come first: what all answers of one operation have in common is seen by the others.
  const elsewhere = [...all].sort((a, b) => Number(a.endpoint === own) - Number(b.endpoint === own));
  const first = new Map<string, { readonly showing: Showing<Of, Row>; readonly row: Row }>();
  for (const showing of elsewhere) {
    for (const { row } of showing.rows) {
      const key = kind.key(row);
      if (!first.has(key)) first.set(key, { showing, row });
    }
  }
  const pairs = new Map<string, readonly [Showing<Of, Row>, Showing<Of, Row>]>();
  const alike: (readonly [Showing<Of, Row>, Showing<Of, Row>])[] = [];
  for (const showing of all.filter(({ endpoint }) => endpoint === own)) {
    for (const { row } of someOf(showing.rows, comparedRows[profile])) {
      const other = first.get(kind.key(row));
      if (!other || other.showing === showing) continue;
      const pair = [showing, other.showing] as const;
      if (kind.text(row) === kind.text(other.row)) alike.push(pair);
      else pairs.set(pair.map(({ explored: { answer } }) => answer.exchange.id).join(" "), pair);
    }
  }
  const judge = ([one, other]: readonly [Showing<Of, Row>, Showing<Of, Row>]) =>
    kind.same(listing(one), listing(other));
  const different = [...pairs.values()].filter((pair) => judge(pair).violations.length > 0);
  context.required(alike[0] ?? different[0], unexplored(context, own, "and one of another request that show the same"));
  for (const pair of alike.slice(0, 1)) {
    const [one, other] = pair;
    context.verify(one.explored.answer, other.explored.answer).holdsForAnyRows(() => judge(pair));
  }
  for (const [one, other] of different.slice(0, READ_AGAIN)) {
    const read = ({ endpoint, explored: { planned } }: Showing<Of, Row>) => ask(context, endpoint, planned);
    const answers = await context.bracket(
      () => read(one),
      () => read(other),
    );
    context.verify(...answers).holdsForAnyRows((first, second) => {
      const again = (showing: Showing<Of, Row>, body: ShownBody): Listing<Row> => ({
        from: showing.endpoint,
        rows: kind.shown(showing.endpoint, body),
      });
      return kind.same(again(one, first), again(other, second));
    });
  }
}

async function showings<Of extends OrderEndpoint | PositionEndpoint, Row>(
  kind: Kind<Of, Row>,
  endpoint: Of,
  context: CheckContext,
): Promise<readonly Showing<Of, Row>[]> {
  const { exchanges } = await explored(context, endpoint);
  const seen = new Set<string>();
  return exchanges.flatMap((each): Showing<Of, Row>[] => {
    const body = bodyKnown(each.answer as AnswerOf<ShownBody>);
    const text = each.answer.exchange.response?.body ?? "";
    if (body === undefined || (text !== "" && seen.has(text))) return [];
    seen.add(text);
    return [{ endpoint, explored: each, rows: kind.shown(endpoint, body) }];
  });
}

function listing<Of extends string, Row>({ endpoint, rows }: Showing<Of, Row>): Listing<Row> {
  return { from: endpoint, rows };
}

/** So many of some rows, evenly spread. */
function someOf<Row>(rows: readonly Row[], size: number): readonly Row[] {
  const step = Math.max(1, (rows.length - 1) / Math.max(1, size - 1));
  return rows.filter((_, index) => index % step < 1);
}
