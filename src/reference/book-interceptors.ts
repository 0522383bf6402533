import { type BookSide, bookSides } from "../specification/enums.js";
import { type MutableJsonObject, objectAt, objectsAt } from "./json.js";
import { type CallContext, type Interceptors, on } from "./modification.js";

/** An interceptor that edits the `orderBook` of GetOrderBook responses in place. */
export function changeBook(
  change: (orderBook: MutableJsonObject, context: CallContext) => void,
): Required<Interceptors>["response"] {
  return on("GetOrderBook", (json, context) => {
    const orderBook = objectAt(json, "orderBook");
    if (orderBook) change(orderBook, context);
    return json;
  });
}

/** The levels of one side of an `orderBook`. */
export function levelsOf(orderBook: MutableJsonObject, side: BookSide): MutableJsonObject[] {
  return objectsAt(orderBook, "book", side);
}

/** Sets `levels` to the number of levels of the longer side (B5). */
export function countLevels(orderBook: MutableJsonObject): void {
  orderBook.levels = Math.max(...bookSides.map((side) => levelsOf(orderBook, side).length));
}
