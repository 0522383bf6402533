import type { Answer, AnswerOf } from "../../src/engine/answer.js";
import type { CheckContext } from "../../src/engine/context.js";
import type { Judgement } from "../../src/judge/judgement.js";
import {
  listedOrders,
  type OrderEndpoint,
  type OrderRows,
  type PositionEndpoint,
  type PositionRows,
  type ShownBody,
  type Snapshots,
  shownOrders,
  shownPositions,
} from "../../src/judge/located-rows.js";
import type { OrderView, PositionView } from "../../src/judge/read.js";
import { type OperationRows, sameStoredOrders } from "../../src/judge/relations.js";
import { isStream } from "../../src/specification/endpoints.js";
import { answersOf } from "./resources.js";

/** The positions that an answer shows. Without a message of the stream the check is inconclusive. */
function positionsIn({ bodyOf, inconclusive }: CheckContext, answer: AnswerOf<ShownBody>): OperationRows<PositionView> {
  const from = answer.endpoint as PositionEndpoint;
  const body = bodyOf(answer);
  if (isStream(from) && (body as Snapshots).messages.length === 0)
    inconclusive("needs a message of the stream, and none came");
  return { from, rows: shownPositions(from, body) };
}

/** Judges the positions of an answer by those that another one shows. */
export function comparePositions(
  context: CheckContext,
  judge: (shown: OperationRows<PositionView>, other: OperationRows<PositionView>) => Judgement,
  answer: AnswerOf<ShownBody>,
  other: AnswerOf<ShownBody>,
): void {
  context.verify(answer, other).satisfies(judge(positionsIn(context, answer), positionsIn(context, other)));
}

/** All orders that an answer shows, including those within positions. */
export function ordersIn({ bodyOf }: Pick<CheckContext, "bodyOf">, answer: Answer): OperationRows<OrderView> {
  const from = answer.endpoint as OrderEndpoint;
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
export function openOrdersOf({ bodyOf }: CheckContext, answer: Answer): OperationRows<OrderView> {
  return { from: "GetPortfolio", rows: listedOrders("GetPortfolio", bodyOf(answer)) };
}

/** Verifies that orders shown by both answers have the same stored state in each (R16). Samples are accepted. */
export function verifySameOrders({ sampledBodyOf, verify }: CheckContext, answer: Answer, other: Answer): void {
  const orders = (shown: Answer) => ordersIn({ bodyOf: sampledBodyOf }, shown);
  verify(answer, other).holdsForAnyRows(sameStoredOrders(orders(answer), orders(other)));
}
