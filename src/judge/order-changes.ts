/**
 * Judges orders that change while they are read (§4.4, R16): one that is terminal in one operation is not open in another, and
 * one that is there in one operation is listed in another.
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
  /** Which orders of the wallet it lists: those associated with positions are some of them. */
  readonly lists: "all" | "open" | "associated";
  /** Whether it is a full page, so that there may be more orders. */
  readonly isPage?: boolean;
  /** If only orders of one market were asked for, its id. */
  readonly marketId?: string;
  /** Index of the answer, from 0. */
  readonly answer: number;
}

/**
 * An operation shows the latest state of each order (§4.4, R16). If other operations show an order as terminal, before and
 * after, it is not still open in answers that are more than 2.5 s younger. If they show an order at all, or as open, a complete
 * list of all orders, or of the open ones, has it as well. If orders change, answers may be cached for a moment (P3), so a
 * violation counts only if it is seen again after as long.
 *
 * @param reads answers of several operations about one wallet, in chronological order
 */
export function upToDateOrders(endpoint: OrderEndpoint, reads: readonly OrdersRead[]): Judgement {
  const all = reads.map((read) => ({ ...read, rows: rowsOf(read) }));
  const ofEndpoint = all.filter((read) => read.endpoint === endpoint);
  const moving = ordersMove(reads);
  const apartMs = moving ? changeShownWithinMs : 0;
  const shownElsewhere = statesElsewhere(endpoint, all).flatMap((state) => {
    const later = ofEndpoint.filter(({ from }) => from > state.since + changeShownWithinMs && from < state.until);
    return later.length > 0 ? [{ ...state, later }] : [];
  });
  return judgeEach(
    shownElsewhere,
    ({ key, since, is, marketId, shownBy, later }): Violation | undefined => {
      const late = later.filter((read) => {
        const shown = read.rows.get(key);
        if (is === "over") return shown !== undefined && isActive(shown.row);
        // At rest, other rules compare the lists.
        if (shown !== undefined || read.isPage || !(moving || endpoint === "GetOrders")) return false;
        const isCovered = read.marketId === undefined || read.marketId === marketId;
        return read.lists === (is === "open" ? "open" : "all") && isCovered;
      });
      const [first, last] = [late[0], late.at(-1)];
      if (!first || !last || last.from - first.from < apartMs) return undefined;
      const shown = last.rows.get(key);
      const seconds = ((last.from - since) / 1000).toFixed(1);
      return {
        answer: last.answer,
        path: shown ? rowPath(shown, "status") : endpoint === "GetPortfolio" ? "portfolio.orders" : "orders",
        expected: `order ${key}${is === "over" ? " no longer open" : ""}, which ${shownBy} for ${seconds} s`,
        seen: shown ? shown.row.status : lackingIt(last.rows.size, "order"),
        row: `an order that is ${is}`,
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
  return reads.some(({ endpoint, lists, marketId, orders }) => {
    const text = orders.map(({ row }) => storedOrderText(row)).join("\n");
    const list = `${endpoint} ${lists} ${marketId}`;
    const before = texts.get(list);
    texts.set(list, text);
    return before !== undefined && before !== text;
  });
}

/** What other operations show of an order: that it exists, that it is open, or that it is terminal. */
interface OrderState {
  readonly key: string;
  readonly is: "there" | "open" | "over";
  readonly marketId: string;
  /** When the first and the last answer had shown it, in milliseconds since 1970. */
  readonly since: number;
  readonly until: number;
  /** The operation that showed it last, and how: `GetAllOrders has shown as ORDER_STATUS_CLOSED`. */
  readonly shownBy: string;
}

/** An order counts as open until any operation shows it as terminal. */
function statesElsewhere(endpoint: OrderEndpoint, all: readonly KeyedOrders[]): readonly OrderState[] {
  const elsewhere = all.filter((read) => read.endpoint !== endpoint);
  const keys = new Set(elsewhere.flatMap(({ rows }) => [...rows.keys()]));
  return [...keys].flatMap((key) => {
    const showing = (reads: readonly KeyedOrders[], test: (order: OrderView) => boolean = () => true) =>
      reads.filter(({ rows }) => {
        const shown = rows.get(key);
        return shown !== undefined && test(shown.row);
      });
    const firstOver = showing(all, isTerminal)[0]?.from ?? Number.POSITIVE_INFINITY;
    const untilOver = elsewhere.filter(({ to }) => to < firstOver);
    return [
      stateOf(key, "there", showing(elsewhere)),
      stateOf(key, "open", showing(untilOver, isActive)),
      stateOf(key, "over", showing(elsewhere, isTerminal)),
    ].filter((state) => state !== undefined);
  });
}

function stateOf(key: string, is: OrderState["is"], reads: readonly KeyedOrders[]): OrderState | undefined {
  const [first, last] = [reads[0], reads.at(-1)];
  const row = last?.rows.get(key)?.row;
  if (!first || !last || !row) return undefined;
  const shownBy = `${last.endpoint} has shown as ${row.status}`;
  return { key, is, marketId: row.marketId, since: first.to, until: last.to, shownBy };
}

function rowsOf({ orders }: OrdersRead): ReadonlyMap<string, LocatedRow<OrderView>> {
  return new Map(orders.map((shown) => [orderKey(shown.row), shown]));
}
