import { OrderStatus } from "../gen/order_service/v1/order_service_pb.js";
import { isActiveStatus } from "../messages.js";
import { breaking, type Mutant } from "../modification.js";
import {
  editListedOrders,
  editOrders,
  editPortfolio,
  orderRows,
  positionRows,
  walletOf,
} from "../resource-interceptors.js";

const vaultAddress = "0x00000000000000000000000000000000000000fe";

/** Servers that break one rule of §2 Portfolio. */
export const portfolio: readonly Mutant[] = [
  ...breaking("portfolio.owner", {
    "portfolio-without-owner": {
      summary: "GetPortfolio leaves out the owner.",
      response: editPortfolio((portfolio) => {
        delete portfolio.owner;
      }),
    },
    "portfolio-owner-of-the-vault": {
      summary: "GetPortfolio names the vault that holds the collateral as the owner.",
      response: editPortfolio((portfolio) => {
        portfolio.owner = vaultAddress;
      }),
    },
  }),

  ...breaking("portfolio.nested-owners", {
    "portfolio-reduce-orders-of-the-vault": {
      summary: "GetPortfolio lists reduce-only orders as those of the vault.",
      alsoFails: ["relations.order-stored-state"],
      response: editListedOrders((order) => {
        if (order.reduceOnly) order.owner = vaultAddress;
      }, "GetPortfolio"),
    },
    "portfolio-leaks-a-neighbour": {
      summary: "GetPortfolio lists the latest open position of another wallet along with the wallet's own.",
      alsoFails: ["relations.open-positions-agree"],
      ...positionRows("GetPortfolio", (rows, { dataset, effective }) => {
        const foreign = dataset.positions.find(({ open, owner }) => open && owner !== effective.address);
        return foreign && rows.length > 0 ? [...rows, foreign] : rows;
      }),
    },
    "portfolio-of-an-unknown-wallet-shows-another": {
      summary: "GetPortfolio of an unknown wallet lists the latest open position of another one.",
      ...positionRows("GetPortfolio", (rows, { dataset, effective: { address } }) => {
        const isKnown = [...dataset.positions, ...dataset.orders].some(({ owner }) => owner === address);
        return isKnown ? rows : dataset.positions.filter(({ open }) => open).slice(0, 1);
      }),
    },
    "portfolio-associated-orders-without-owner": {
      summary: "GetPortfolio leaves out the owner of orders within positions.",
      alsoFails: ["wire.owner-evm-address", "relations.order-stored-state"],
      response: (endpoint, json, context) => {
        const listed = new Set<unknown>();
        editListedOrders((order) => listed.add(order))(endpoint, json, context);
        return editOrders((order) => {
          if (!listed.has(order)) delete order.owner;
        }, "GetPortfolio")(endpoint, json, context);
      },
    },
  }),

  ...breaking("portfolio.orders-open-only", {
    "portfolio-lists-partially-cancelled-orders": {
      summary: "GetPortfolio lists partially cancelled orders among the open ones.",
      alsoFails: ["relations.open-orders-agree"],
      ...orderRows("GetPortfolio", (_open, call) =>
        walletOf(call).orders.filter(
          ({ status }) => isActiveStatus(status) || status === OrderStatus.PARTIALLY_CANCELLED,
        ),
      ),
    },
    "portfolio-lists-the-latest-orders": {
      summary: "GetPortfolio always lists the wallet's latest order, even when it has ended.",
      alsoFails: ["relations.open-orders-agree"],
      ...orderRows("GetPortfolio", (rows, call) => {
        const [latest] = walletOf(call).orders;
        return latest && !rows.includes(latest) ? [latest, ...rows] : rows;
      }),
    },
  }),
];
