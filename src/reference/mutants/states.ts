import type { Endpoint } from "../../specification/endpoints.js";
import { type MutableJsonObject, ordersIn, raw } from "../json.js";
import { breaking, type Mutant, on } from "../modification.js";

const name = "ORDER_STATUS_";

/** Edits the status of every order in an operation's answers. */
const statuses = (
  endpoint: Endpoint | readonly Endpoint[],
  change: (order: MutableJsonObject) => void,
): Mutant["response"] =>
  on(endpoint, (json) => {
    for (const order of ordersIn(json)) change(order);
    return json;
  });

/** Servers that break one rule of §3. */
export const states: readonly Mutant[] = [
  ...breaking("states.order-status-values", {
    "order-status-as-number": {
      summary: "GetAllOrders carries statuses as the numbers of the enum.",
      response: statuses("GetAllOrders", (order) => {
        order.status = raw(1 + String(order.status).length);
      }),
    },
    "order-status-lower-case": {
      summary: "GetOrders writes statuses in lower case and without their prefix.",
      response: statuses("GetOrders", (order) => {
        order.status = String(order.status).replace(name, "").toLowerCase();
      }),
    },
    "order-status-expired": {
      summary: "GetAllOrders calls cancelled orders expired.",
      response: statuses("GetAllOrders", (order) => {
        if (order.status === `${name}CANCELLED` && order.reduceOnly === true) order.status = `${name}EXPIRED`;
      }),
    },
    "order-status-pending-left-out": {
      summary: "GetAllOrders and GetOrders leave out the status of pending orders, which GetPortfolio writes out.",
      alsoFails: ["wire.enum-values-written"],
      response: statuses(["GetAllOrders", "GetOrders"], (order) => {
        if (order.status === `${name}PENDING`) delete order.status;
      }),
    },
    "order-status-unspecified-in-positions": {
      summary: "Orders associated with positions of GetPortfolio have no known status.",
      response: on("GetPortfolio", (json) => {
        const portfolio = json.portfolio;
        const positions = portfolio ? ordersIn({ positions: (portfolio as MutableJsonObject).positions }) : [];
        for (const order of positions) order.status = `${name}UNSPECIFIED`;
        return json;
      }),
    },
  }),
];
