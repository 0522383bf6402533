/** Sightings: the same order or position wherever it appears in explored answers (R16). */
import type { AnswerOf } from "../../src/engine/answer.js";
import { isSignal } from "../../src/engine/conclude.js";
import type { CheckContext } from "../../src/engine/context.js";
import { askPlanned, type ExploredAnswer, explored, unexplored } from "../../src/engine/explored.js";
import { knownBody } from "../../src/engine/samples.js";
import { Inconclusive } from "../../src/engine/signals.js";
import type { Judgement } from "../../src/judge/judgement.js";
import {
  inFirstMessage,
  type LocatedRow,
  messagesShowing,
  type OrderEndpoint,
  type PositionEndpoint,
  type ShownBody,
  shownOrders,
  shownPositions,
} from "../../src/judge/located-rows.js";
import { orderKey, positionKey, storedFieldsText, storedOrderText } from "../../src/judge/read-stored.js";
import {
  keyWithOrders,
  type OperationRows,
  sameStoredOrders,
  sameStoredPositions,
  sameStoredSnapshots,
} from "../../src/judge/relations.js";
import { orderEndpoints } from "../../src/specification/endpoints.js";
import type { Profile } from "../../src/specification/profile.js";
import { verifyLastingDifferences } from "./lasting-differences.js";

/** How many pairs of answers are read again when they disagree. */
const readAgain = 2;

/** How many rows of one answer are compared, by profile, spread evenly from the first to the last. */
const comparedRows: Readonly<Record<Profile, number>> = { quick: 30, full: 300 };

/** How to read, identify and compare rows of one kind. */
interface RowKind<Endpoint, Row> {
  readonly shown: (endpoint: Endpoint, body: ShownBody) => readonly LocatedRow<Row>[];
  readonly key: (row: Row) => string;
  readonly text: (row: Row) => string;
  readonly same: (shown: OperationRows<Row>, other: OperationRows<Row>) => Judgement;
}

/**
 * Asserts that the orders in explored answers of the check's operation have the same stored fields in explored answers of
 * any operation. Answers that disagree are read again, so that the target is not blamed for data that changed in between
 * (P3).
 */
export function ordersAgree(context: CheckContext): Promise<void> {
  return agree(
    { shown: shownOrders, key: orderKey, text: storedOrderText, same: sameStoredOrders },
    orderEndpoints,
    context,
  );
}

/** Like {@link ordersAgree}, for positions in listings and portfolios. */
export function positionsAgree(context: CheckContext): Promise<void> {
  return agree(
    { shown: shownPositions, key: positionKey, text: storedFieldsText, same: sameStoredPositions },
    ["GetAllPositions", "GetPortfolio"],
    context,
  );
}

/**
 * Like {@link ordersAgree}, for positions in stream messages. Triggers change with the orders that a position names (R3).
 */
export function snapshotsAgree(context: CheckContext): Promise<void> {
  return agree(
    { shown: shownPositions, key: keyWithOrders, text: storedFieldsText, same: sameStoredSnapshots },
    ["GetOpenPositionsStreaming"],
    context,
  );
}

/**
 * An explored answer that shows rows. Its rows are parsed on demand, since those of all answers would take a lot of memory.
 */
interface RowSource<Endpoint> {
  readonly endpoint: Endpoint;
  readonly explored: ExploredAnswer;
}

/** The stored fields of a row, and where it was seen. */
interface RowSighting<Endpoint> {
  readonly source: RowSource<Endpoint>;
  readonly key: string;
  readonly text: string;
}

/** Two answers that show the same rows. */
type AnswerPair<Endpoint> = readonly [RowSource<Endpoint>, RowSource<Endpoint>];

async function agree<Of extends OrderEndpoint | PositionEndpoint, Row>(
  kind: RowKind<Of, Row>,
  endpoints: readonly Of[],
  context: CheckContext,
): Promise<void> {
  const sources = endpoints.map((endpoint) =>
    rowSourcesOf(endpoint, context).catch((end) => {
      // Without another operation, there are still the answers of the check's own.
      if (endpoint !== context.endpoint && isSignal(end)) return [];
      throw end;
    }),
  );
  const all = (await Promise.all(sources)).flat();
  const { alike, unlike } = pairsOf(kind, all, context);
  const judge = ([one, other]: AnswerPair<Of>) => kind.same(listing(kind, one), listing(kind, other));
  const different = unlike.filter((pair) => judge(pair).violations.length > 0);
  context.required(alike ?? different[0], unexplored(context, "and one of another request that show the same"));
  if (alike !== undefined) {
    const [one, other] = alike;
    context.verify(one.explored.answer, other.explored.answer).holdsForAnyRows(judge(alike));
  }
  for (const pair of different.slice(0, readAgain)) await verifyAgain(kind, pair, context);
}

/** The rows that an answer shows; `body` replaces its body. */
function listing<Of extends OrderEndpoint | PositionEndpoint, Row>(
  { shown }: RowKind<Of, Row>,
  { endpoint, explored: { answer } }: RowSource<Of>,
  body = knownBody(answer),
): OperationRows<Row> {
  return { from: endpoint, rows: body === undefined ? [] : shown(endpoint, body) };
}

/**
 * Pairs of an answer of the check's operation and another one with the same row: one pair in which the stored fields of the
 * row agree, and all in which they differ.
 */
function pairsOf<Of extends OrderEndpoint | PositionEndpoint, Row>(
  kind: RowKind<Of, Row>,
  all: readonly RowSource<Of>[],
  { endpoint: ownEndpoint, profile }: CheckContext,
): { readonly alike: AnswerPair<Of> | undefined; readonly unlike: readonly AnswerPair<Of>[] } {
  const sighting = (source: RowSource<Of>, row: Row) => ({ source, key: kind.key(row), text: kind.text(row) });
  const compared = all
    .filter(({ endpoint }) => endpoint === ownEndpoint)
    .flatMap((source): readonly RowSighting<Of>[] =>
      evenlySpread(listing(kind, source).rows, comparedRows[profile]).map(({ row }) => sighting(source, row)),
    );
  const wanted = new Set(compared.map(({ key }) => key));
  // Prefer sightings in other operations: they reveal an error that all answers of one operation share.
  const elsewhere = [...all].sort((a, b) => Number(a.endpoint === ownEndpoint) - Number(b.endpoint === ownEndpoint));
  const first = new Map<string, RowSighting<Of>>();
  for (const source of elsewhere) {
    for (const { row } of listing(kind, source).rows) {
      const key = kind.key(row);
      if (wanted.has(key) && !first.has(key)) first.set(key, sighting(source, row));
    }
  }
  let alike: AnswerPair<Of> | undefined;
  const unlike = new Map<string, AnswerPair<Of>>();
  for (const { source, key, text } of compared) {
    const other = first.get(key);
    if (!other || other.source === source) continue;
    const pair = [source, other.source] as const;
    if (text === other.text) alike ??= pair;
    else unlike.set(pair.map(({ explored: { answer } }) => answer.exchange.id).join(" "), pair);
  }
  return { alike, unlike: [...unlike.values()] };
}

/** Reads two answers again that disagree, and asserts that they agree (P3). */
async function verifyAgain<Of extends OrderEndpoint | PositionEndpoint, Row>(
  kind: RowKind<Of, Row>,
  [one, other]: AnswerPair<Of>,
  context: CheckContext,
): Promise<void> {
  const beside = listing(kind, other);
  const messages = messagesShowing(kind.same(listing(kind, one), { ...beside, rows: inFirstMessage(beside.rows) }));
  const read = (
    { endpoint, explored: { planned } }: RowSource<Of>,
    most: number | undefined,
  ): Promise<AnswerOf<ShownBody>> => askPlanned(context, endpoint, planned, { messages: most });
  const readOne = () => read(one, messages);
  const readOther = () => read(other, messages && 1);
  const judge = (first: ShownBody, second: ShownBody) =>
    kind.same(listing(kind, one, first), listing(kind, other, second));
  const answers = await context.bracket(readOne, readOther).catch((end) => {
    if (end instanceof Inconclusive) return undefined;
    throw end;
  });
  if (answers) context.verify(...answers).holdsForAnyRows(judge);
  else await verifyLastingDifferences([readOne, readOther], judge, context);
}

async function rowSourcesOf<Of extends OrderEndpoint | PositionEndpoint>(
  endpoint: Of,
  context: CheckContext,
): Promise<readonly RowSource<Of>[]> {
  const { exchanges } = await explored(context, endpoint);
  const seen = new Set<string>();
  return exchanges.flatMap((each): RowSource<Of>[] => {
    const text = each.answer.exchange.response?.body ?? "";
    if (text !== "" && seen.has(text)) return [];
    seen.add(text);
    return [{ endpoint, explored: each }];
  });
}

/** Picks up to `size` rows, from the first to the last. */
export function evenlySpread<Row>(rows: readonly Row[], size: number): readonly Row[] {
  if (rows.length <= size) return rows;
  const step = (rows.length - 1) / (size - 1);
  const chosen = new Set(Array.from({ length: size }, (_, index) => Math.round(index * step)));
  return rows.filter((_, index) => chosen.has(index));
}
