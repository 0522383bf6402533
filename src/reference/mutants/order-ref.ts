import { objectsAt } from "../json.js";
import { isActiveStatus } from "../messages.js";
import { breaking, type Mutant } from "../modification.js";
import { editPositions, referencedOrder } from "../resource-interceptors.js";

/** Servers that break one rule of §2 OrderRef. */
export const orderRef: readonly Mutant[] = [
  ...breaking("order-ref.id-form", {
    "order-ref-ids-padded": {
      summary: "Order references pad their order ids with zeros to 20 digits.",
      response: editPositions((position) => {
        for (const reference of objectsAt(position, "associatedOrderIds")) {
          reference.orderId = String(reference.orderId).padStart(20, "0");
        }
      }),
    },
    "stream-order-ref-market-signed": {
      summary: "The stream's references to reduce-only orders write market ids with a sign.",
      response: editPositions((position) => {
        for (const reference of objectsAt(position, "associatedOrderIds")) {
          if (reference.reduceOnly === true) reference.marketId = `+${reference.marketId}`;
        }
      }, "GetOpenPositionsStreaming"),
    },
  }),

  ...breaking("order-ref.names-an-order", {
    "stream-order-ref-dangling": {
      summary: "The stream's references include an order that was never stored.",
      alsoFails: ["relations.position-stored-state"],
      response: editPositions((position) => {
        const references = objectsAt(position, "associatedOrderIds");
        const [opening] = references;
        if (references.length > 1 && opening) {
          const orderId = String(BigInt(String(opening.orderId)) + 400_000n);
          position.associatedOrderIds = [...references, { ...opening, orderId }];
        }
      }, "GetOpenPositionsStreaming"),
    },
    "stream-order-ref-kind-lost": {
      summary: "The stream's references to reduce-only orders that have ended do not say that they are reduce-only.",
      alsoFails: ["relations.position-stored-state"],
      response: editPositions((position, context) => {
        for (const reference of objectsAt(position, "associatedOrderIds")) {
          const order = referencedOrder(context, position, reference);
          if (order?.reduceOnly && !isActiveStatus(order.status)) delete reference.reduceOnly;
        }
      }, "GetOpenPositionsStreaming"),
    },
    "order-ref-rounded-to-double": {
      summary: "References in GetAllPositions and GetPortfolio went through a double, and lost digits beyond 2^53.",
      alsoFails: ["position.associated-orders-agree"],
      response: editPositions(
        (position) => {
          for (const reference of objectsAt(position, "associatedOrderIds")) {
            reference.orderId = String(BigInt(Number(reference.orderId)));
          }
        },
        "GetAllPositions",
        "GetPortfolio",
      ),
    },
  }),
];
