import { objectsAt, positionsIn, raw } from "../json.js";
import { breaking, type Mutant, on } from "../modification.js";
import { editOrders } from "../resource-interceptors.js";

const name = "ORDER_STATUS_";

/** Servers that break one rule of §3. */
export const states: readonly Mutant[] = [
  ...breaking("states.order-status-values", {
    "order-status-as-number": {
      summary: "GetAllOrders carries statuses as the numbers of the enum.",
      response: editOrders((order) => {
        order.status = raw(1 + String(order.status).length);
      }, "GetAllOrders"),
    },
    "order-status-lower-case": {
      summary: "GetOrders writes statuses in lower case and without their prefix.",
      response: editOrders((order) => {
        order.status = String(order.status).replace(name, "").toLowerCase();
      }, "GetOrders"),
    },
    "order-status-expired": {
      summary: "GetAllOrders calls cancelled orders expired.",
      response: editOrders((order) => {
        if (order.status === `${name}CANCELLED` && order.reduceOnly === true) order.status = `${name}EXPIRED`;
      }, "GetAllOrders"),
    },
    "order-status-pending-left-out": {
      summary: "GetAllOrders and GetOrders leave out the status of pending orders, which GetPortfolio writes out.",
      alsoFails: ["wire.enum-values-written"],
      response: editOrders(
        (order) => {
          if (order.status === `${name}PENDING`) delete order.status;
        },
        "GetAllOrders",
        "GetOrders",
      ),
    },
    "order-status-unspecified-in-positions": {
      summary: "Orders associated with positions of GetPortfolio have no known status.",
      response: on("GetPortfolio", (json) => {
        const associated = positionsIn(json).flatMap((position) => objectsAt(position, "associatedOrders"));
        for (const order of associated) order.status = `${name}UNSPECIFIED`;
        return json;
      }),
    },
  }),
];
