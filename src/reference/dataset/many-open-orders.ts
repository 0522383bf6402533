import { OrderStatus } from "../gen/order_service/v1/order_service_pb.js";
import { createDataset, type Dataset } from "./dataset.js";
import type { OrderRecord } from "./model.js";

/** More open orders than the largest page of a listing holds (§4.3). */
const openOrders = 1_100;

/** The data with more open orders than fit on a page, all of the wallet that placed the newest pending opening order. */
export function withManyOpenOrders(data: Dataset): Dataset {
  const pending = data.orders.find(({ status, reduceOnly }) => status === OrderStatus.PENDING && !reduceOnly);
  if (pending === undefined) return data;
  const lastId = data.orders.reduce((most, { orderId }) => (orderId > most ? orderId : most), 0n);
  const copies = Array.from({ length: openOrders }, (_, index): OrderRecord => {
    const before = BigInt(index + 1) * 60_000_000_000n;
    return {
      ...pending,
      orderId: lastId + BigInt(index + 1),
      createdAt: pending.createdAt - before,
      updatedAt: pending.updatedAt - before,
    };
  });
  return createDataset(data.seed, data.markets.values(), [...data.orders, ...copies], data.positions);
}
