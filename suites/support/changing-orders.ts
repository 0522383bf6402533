/** The orders of busy wallets, read repeatedly in every operation that lists them (R16). */
import type { JsonObject } from "../../src/connect/json.js";
import type { Answer } from "../../src/engine/answer.js";
import type { CheckContext, ReadContext } from "../../src/engine/context.js";
import { listedOrders, shownOrders } from "../../src/judge/located-rows.js";
import { type OrdersRead, ordersMove } from "../../src/judge/order-changes.js";
import { isActive, isTerminal } from "../../src/judge/order-lists.js";
import { changeShownWithinMs } from "../../src/specification/limits.js";
import { byId } from "../../src/subjects/requests.js";
import { orderCountOf } from "../../src/subjects/select.js";
import { ordersOrNone } from "./resources.js";

/** Operations that list the orders of a wallet. */
export const orderLists = ["GetAllOrders", "GetOrders", "GetPortfolio"] as const;

/** How many wallets are read: owners of the newest open or ended orders, unless they have too many orders. */
const walletsRead = 2;
const maxOrders = 1_000;

/** How many of the newest orders are read, of the platform and of each wallet. */
const newestOrders = 100;

/** How long an operation has to catch up with what another one showed, plus a small margin, in milliseconds. */
const roundMs = changeShownWithinMs + 100;

/** When the orders of a wallet are read, and how often per operation: several server processes may answer. */
const rounds: readonly { readonly afterMs: number; readonly times: number }[] = [
  { afterMs: 0, times: 1 },
  { afterMs: roundMs, times: 1 },
  { afterMs: roundMs, times: 3 },
  { afterMs: roundMs, times: 3 },
];

/** The successful answers about a wallet, and the orders in each. */
export interface ChangingOrders {
  readonly answers: readonly Answer[];
  readonly reads: readonly OrdersRead[];
}

/**
 * Reads the orders of busy wallets in several rounds; stops after two if nothing changed. Shared by the checks of a
 * worker.
 */
export function changingOrders({ required, sharedRead, subjects }: CheckContext): Promise<readonly ChangingOrders[]> {
  return sharedRead("orders while the data move", async (reader) => {
    const rows = ordersOrNone(await reader.ask("GetAllOrders", { limit: newestOrders }));
    const newestOf = (address: string) => rows.find(({ owner }) => owner.toLowerCase() === address);
    const ownersOf = (orders: typeof rows) => orders.map(({ owner }) => owner.toLowerCase());
    const [withOpen, withEnded] = [ownersOf(rows.filter(isActive)), ownersOf(rows.filter(isTerminal))];
    // Includes a wallet whose order has just ended, if there is another one.
    const owners = new Set([...withOpen.slice(0, 1), ...withEnded, ...withOpen]);
    const isHeavy = (address: string) =>
      subjects.wallets.some((wallet) => wallet.address === address && orderCountOf(wallet) > maxOrders);
    const busy = [...owners].filter((owner) => owner !== "" && !isHeavy(owner)).slice(0, walletsRead);
    required(busy[0], "walletWithOpenOrders");
    return Promise.all(busy.map((address) => readAgain(address, newestOf(address)?.marketId ?? "", reader)));
  });
}

async function readAgain(address: string, marketId: string, { ask, pause }: ReadContext): Promise<ChangingOrders> {
  const answers: Answer[] = [];
  const reads: OrdersRead[] = [];
  for (const [index, { afterMs, times }] of rounds.entries()) {
    await pause(afterMs);
    const requests = Array.from({ length: times }, () => [
      ask("GetAllOrders", { address, limit: newestOrders }),
      ask("GetAllOrders", { address, limit: newestOrders, onlyOpen: true }),
      ask("GetOrders", { address }),
      ask("GetOrders", { address, ...byId({ marketId }) }),
      ask("GetPortfolio", { owner: address }),
    ]).flat();
    for (const answer of await Promise.all(requests)) {
      if (answer.outcome.kind !== "success") continue;
      reads.push(...readsOf(answer, answer.outcome.body, answers.length));
      answers.push(answer);
    }
    if (index === 1 && !ordersMove(reads)) break;
  }
  return { answers, reads };
}

/** The orders that an answer lists, and those of the positions in a portfolio. */
function readsOf({ endpoint: asked, exchange, request }: Answer, body: JsonObject, answer: number): OrdersRead[] {
  const endpoint = asked as (typeof orderLists)[number];
  const from = Date.parse(exchange.startedAt);
  const to = from + exchange.timings.totalMs;
  const { onlyOpen, market } = request as { readonly onlyOpen?: true; readonly market?: { readonly marketId: string } };
  const orders = listedOrders(endpoint, body);
  const isPage = endpoint === "GetAllOrders" && orders.length >= newestOrders;
  const lists = onlyOpen || endpoint === "GetPortfolio" ? "open" : "all";
  const listed = {
    endpoint,
    from,
    to,
    orders,
    lists,
    isPage,
    marketId: market?.marketId,
    answer,
  } as const;
  if (endpoint !== "GetPortfolio") return [listed];
  const associated = shownOrders(endpoint, body).slice(orders.length);
  return [listed, { ...listed, orders: associated, lists: "associated" }];
}
