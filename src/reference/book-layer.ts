import { type MutableJson, type MutableJsonObject, objectAt } from "./json.js";
import { type CallContext, type Layers, on } from "./modification.js";

/** A layer that edits the `orderBook` of GetOrderBook responses in place. */
export function changeBook(
  change: (orderBook: MutableJsonObject, context: CallContext) => void,
): Required<Layers>["response"] {
  return on("GetOrderBook", (json, context): MutableJson => {
    const orderBook = objectAt(json, "orderBook");
    if (orderBook) change(orderBook, context);
    return json;
  });
}
