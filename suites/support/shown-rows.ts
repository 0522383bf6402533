import type { Answer, AnswerOf, StreamAnswer } from "../../src/engine/answer.js";
import type { CheckContext } from "../../src/engine/context.js";
import {
  listedOrders,
  type OrderEndpoint,
  type OrderRows,
  type PositionEndpoint,
  type PositionRows,
  type ShownBody,
  shownOrders,
  shownPositions,
} from "../../src/judge/located-rows.js";
import type { OrderView, PositionView } from "../../src/judge/read.js";
import { type OperationRows, sameStoredOrders } from "../../src/judge/relations.js";
import { answersOf } from "./resources.js";

/** The positions that a listing or a portfolio shows. */
export function positionsFrom(
  { bodyOf }: CheckContext,
  from: "GetAllPositions" | "GetPortfolio",
  answer: Answer,
): OperationRows<PositionView> {
  return { from, rows: shownPositions(from, bodyOf(answer)) };
}

/** The positions that a snapshot of the stream shows. */
export function positionsStreamed(
  { bodyOf, inconclusive }: CheckContext,
  answer: StreamAnswer,
): OperationRows<PositionView> {
  const from = "GetOpenPositionsStreaming";
  const snapshot = bodyOf(answer);
  if (snapshot.messages.length === 0) inconclusive("needs a message of the stream, and none came");
  return { from, rows: shownPositions(from, snapshot) };
}

/** All orders that an operation shows, including those within positions. */
export function ordersFrom(
  { bodyOf }: CheckContext,
  from: OrderEndpoint,
  answer: AnswerOf<ShownBody>,
): OperationRows<OrderView> {
  return { from, rows: shownOrders(from, bodyOf(answer)) };
}

/** The positions in representative answers of an operation. */
export async function shownPositionsOf(context: CheckContext, endpoint: PositionEndpoint): Promise<PositionRows> {
  return (await answersOf(context, endpoint)).flatMap((answer) => shownPositions(endpoint, context.bodyOf(answer)));
}

/** The orders in representative answers of an operation. */
export async function shownOrdersOf(context: CheckContext, endpoint: OrderEndpoint): Promise<OrderRows> {
  return (await answersOf(context, endpoint)).flatMap((answer) => shownOrders(endpoint, context.bodyOf(answer)));
}

/** The orders that a portfolio lists as open. */
export function openOrdersFrom({ bodyOf }: CheckContext, answer: AnswerOf<ShownBody>): OperationRows<OrderView> {
  return { from: "GetPortfolio", rows: listedOrders("GetPortfolio", bodyOf(answer)) };
}

/** An answer that shows orders, and the operation that gave it. */
type OrderAnswer = readonly [from: OrderEndpoint, answer: AnswerOf<ShownBody>];

/** Verifies that orders shown by both answers have the same stored state in each (R16). Samples are accepted. */
export function verifySameOrders({ sampledBodyOf, verify }: CheckContext, one: OrderAnswer, other: OrderAnswer): void {
  const orders = ([from, answer]: OrderAnswer) => ({ from, rows: shownOrders(from, sampledBodyOf(answer)) });
  verify(one[1], other[1]).holdsForAnyRows(sameStoredOrders(orders(one), orders(other)));
}
