import type { Endpoint } from "../../specification/endpoints.js";
import { type JsonObject, ordersIn, raw } from "../json.js";
import { type CallContext, type Mutant, on } from "../modification.js";

const name = "ORDER_STATUS_";

/** Changes the status of every order that an operation shows, in place. */
const statuses = (endpoint: Endpoint | readonly Endpoint[], change: (order: JsonObject) => void) =>
  on(endpoint, (json: JsonObject, _call: CallContext) => {
    for (const order of ordersIn(json)) change(order);
    return json;
  });

/** Servers that break one rule of §3. */
export const states: readonly Mutant[] = [
  {
    kind: "mutant",
    name: "order-status-as-number",
    summary: "GetAllOrders carries statuses as the numbers of the enum.",
    breaks: "states.order-status-values",
    response: statuses("GetAllOrders", (order) => {
      order.status = raw(1 + String(order.status).length);
    }),
  },
  {
    kind: "mutant",
    name: "order-status-lower-case",
    summary: "GetOrders writes statuses in lower case and without their prefix.",
    breaks: "states.order-status-values",
    response: statuses("GetOrders", (order) => {
      order.status = String(order.status).replace(name, "").toLowerCase();
    }),
  },
  {
    kind: "mutant",
    name: "order-status-expired",
    summary: "GetAllOrders calls cancelled orders expired.",
    breaks: "states.order-status-values",
    response: statuses("GetAllOrders", (order) => {
      if (order.status === `${name}CANCELLED` && order.reduceOnly === true) order.status = `${name}EXPIRED`;
    }),
  },
  {
    kind: "mutant",
    name: "order-status-pending-left-out",
    summary: "GetAllOrders and GetOrders leave out the status of pending orders, which GetPortfolio writes out.",
    breaks: "states.order-status-values",
    alsoFails: ["wire.enum-values-written"],
    response: statuses(["GetAllOrders", "GetOrders"], (order) => {
      if (order.status === `${name}PENDING`) delete order.status;
    }),
  },
  {
    kind: "mutant",
    name: "order-status-unspecified-in-positions",
    summary: "Orders associated with positions of GetPortfolio have no known status.",
    breaks: "states.order-status-values",
    response: on("GetPortfolio", (json: JsonObject) => {
      const portfolio = json.portfolio;
      const positions = portfolio ? ordersIn({ positions: (portfolio as JsonObject).positions }) : [];
      for (const order of positions) order.status = `${name}UNSPECIFIED`;
      return json;
    }),
  },
];
