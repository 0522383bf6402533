import { create, toJsonString } from "@bufbuild/protobuf";
import type { ServiceImpl } from "@connectrpc/connect";
import {
  GetAllOrdersResponseSchema,
  GetOrdersResponseSchema,
  type OrderService,
  PaginationInfoSchema,
} from "../gen/order_service/v1/order_service_pb.js";
import { orderMessage } from "../messages.js";
import { listPieces, listText, manyRows, orderText } from "../row-text.js";
import { selectedMarketId } from "./selector.js";
import { type ServiceOptions, unary } from "./unary.js";

/** Paged orders of all wallets, and all orders of one wallet (§4.3, §4.4). */
export function orderService(options: ServiceOptions): ServiceImpl<typeof OrderService> {
  const { parameters, rows } = options;
  return {
    getAllOrders: unary(options, (request, call) => {
      const endpoint = "GetAllOrders";
      const limit = parameters.pageLimit(endpoint, request.limit);
      const offset = parameters.pageOffset(endpoint, request.offset);
      // A blank address counts as omitted (P7).
      const address = parameters.address(endpoint, request.address);
      const { onlyOpen } = request;
      call.effective = { limit, offset, address, onlyOpen };
      const { dataset } = call;
      const candidates = address === "" ? dataset.orders : (dataset.wallets.get(address)?.orders ?? []);
      const matching = onlyOpen ? candidates.filter((order) => parameters.isOpen(endpoint, order)) : candidates;
      const all = rows.orders?.(endpoint, matching, call) ?? matching;
      const page = all.slice(offset, offset + limit);
      const pagination = create(PaginationInfoSchema, { limit, offset, totalCount: BigInt(all.length) });
      if (call.takesText) {
        const rows = page.map((order) => orderText(dataset, order));
        call.text = listText("orders", rows, toJsonString(PaginationInfoSchema, pagination));
        return create(GetAllOrdersResponseSchema);
      }
      const orders = page.map((order) => orderMessage(dataset, order));
      return create(GetAllOrdersResponseSchema, { orders, pagination });
    }),

    getOrders: unary(options, (request, call) => {
      const endpoint = "GetOrders";
      const address = parameters.address(endpoint, request.address);
      const { dataset } = call;
      // An unknown market id selects nothing and is not an error here (S4).
      const marketId =
        request.market === undefined ? undefined : selectedMarketId(endpoint, request.market, dataset, parameters);
      call.effective = { address, marketId };
      const ofWallet = dataset.wallets.get(address)?.orders ?? [];
      const matching = marketId === undefined ? ofWallet : ofWallet.filter((order) => order.marketId === marketId);
      const all = rows.orders?.(endpoint, matching, call) ?? matching;
      if (call.takesText) {
        if (all.length > manyRows) call.pieces = listPieces("orders", all, (order) => orderText(dataset, order));
        else
          call.text = listText(
            "orders",
            all.map((order) => orderText(dataset, order)),
          );
        return create(GetOrdersResponseSchema);
      }
      return create(GetOrdersResponseSchema, { orders: all.map((order) => orderMessage(dataset, order)) });
    }),
  };
}
