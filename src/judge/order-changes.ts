/**
 * Judges orders that change while they are read (§4.4, R16): one that is terminal in one operation is not open in another.
 */
import { changeShownWithinMs } from "../specification/limits.js";
import { type Judgement, judgeEach, lackingIt, type Violation } from "./judgement.js";
import { type LocatedRow, type OrderEndpoint, rowPath } from "./located-rows.js";
import { isActive, isTerminal } from "./order-lists.js";
import type { OrderView } from "./read.js";
import { orderKey, storedOrderText } from "./read-stored.js";

/** The orders of a wallet that an answer shows. */
export interface OrdersRead {
  readonly endpoint: OrderEndpoint;
  /** The answer was made between these two times, in milliseconds since 1970. */
  readonly from: number;
  readonly to: number;
  readonly orders: readonly LocatedRow<OrderView>[];
  /** Whether only open orders were asked for. */
  readonly onlyOpen?: boolean;
  /** Index of the answer, from 0. */
  readonly answer: number;
}

/**
 * An operation shows the latest state of each order (§4.4, R16). If other operations show an order as terminal, before and
 * after, it is not still open in answers that are more than 2.5 s younger. If they show an order at all, GetOrders lists it
 * as well. If orders change, answers may be cached for a moment (P3), so a violation counts only if it is seen again after
 * as long.
 *
 * @param reads answers of several operations about one wallet, in chronological order
 */
export function upToDateOrders(endpoint: OrderEndpoint, reads: readonly OrdersRead[]): Judgement {
  const all = reads.map((read) => ({ ...read, rows: rowsOf(read) }));
  const ofEndpoint = all.filter((read) => read.endpoint === endpoint);
  const apartMs = ordersMove(reads) ? changeShownWithinMs : 0;
  const shownElsewhere = statesIn(all.filter((read) => read.endpoint !== endpoint)).flatMap((state) => {
    const later = ofEndpoint.filter(({ from }) => from > state.since + changeShownWithinMs && from < state.until);
    return later.length > 0 ? [{ ...state, later }] : [];
  });
  return judgeEach(
    shownElsewhere,
    ({ key, since, isOver, shownBy, later }): Violation | undefined => {
      const late = later.filter(({ rows }) => {
        const shown = rows.get(key);
        return isOver ? shown !== undefined && isActive(shown.row) : endpoint === "GetOrders" && shown === undefined;
      });
      const [first, last] = [late[0], late.at(-1)];
      if (!first || !last || last.from - first.from < apartMs) return undefined;
      const shown = last.rows.get(key);
      const seconds = ((last.from - since) / 1000).toFixed(1);
      return {
        answer: last.answer,
        path: shown ? rowPath(shown, "status") : "orders",
        expected: `order ${key}${isOver ? " no longer open" : ""}, which ${shownBy} for ${seconds} s`,
        seen: shown ? shown.row.status : lackingIt(last.rows.size, "order"),
        row: isOver ? "an order that is over" : "an order that is there",
      };
    },
    "orders of a wallet in several operations, over more than 2.5 s",
  );
}

interface KeyedOrders extends OrdersRead {
  readonly rows: ReadonlyMap<string, LocatedRow<OrderView>>;
}

/** Whether any operation shows different orders, or orders in different states, from one answer to the next. */
export function ordersMove(reads: readonly OrdersRead[]): boolean {
  const texts = new Map<string, string>();
  return reads.some(({ endpoint, onlyOpen, orders }) => {
    const text = orders.map(({ row }) => storedOrderText(row)).join("\n");
    const list = `${endpoint} ${onlyOpen === true}`;
    const before = texts.get(list);
    texts.set(list, text);
    return before !== undefined && before !== text;
  });
}

/** What other operations show of an order: that it exists, or that it is terminal. */
interface OrderState {
  readonly key: string;
  readonly isOver: boolean;
  /** When the first and the last answer had shown it, in milliseconds since 1970. */
  readonly since: number;
  readonly until: number;
  /** The operation that showed it last, and how: `GetAllOrders has shown as ORDER_STATUS_CLOSED`. */
  readonly shownBy: string;
}

function statesIn(reads: readonly KeyedOrders[]): readonly OrderState[] {
  const keys = new Set(reads.flatMap(({ rows }) => [...rows.keys()]));
  return [...keys].flatMap((key) => {
    const showing = reads.filter(({ rows }) => rows.has(key));
    const over = showing.filter(({ rows }) => isTerminal(rows.get(key)?.row as OrderView));
    return [stateOf(key, showing, false), ...(over.length > 0 ? [stateOf(key, over, true)] : [])];
  });
}

function stateOf(key: string, reads: readonly KeyedOrders[], isOver: boolean): OrderState {
  const last = reads.at(-1);
  const shownBy = `${last?.endpoint} has shown as ${last?.rows.get(key)?.row.status}`;
  return { key, isOver, since: reads[0]?.to ?? 0, until: last?.to ?? 0, shownBy };
}

function rowsOf({ orders }: OrdersRead): ReadonlyMap<string, LocatedRow<OrderView>> {
  return new Map(orders.map((shown) => [orderKey(shown.row), shown]));
}
