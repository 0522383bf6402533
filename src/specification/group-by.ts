import { getOrInsert } from "./get-or-insert.js";

/**
 * Groups items by a key. The groups are in the order of their first items, and the items of a group in the given order.
 *
 * `Map.groupBy` does the same, but Node has it only since version 21.
 */
export function groupBy<Item, Key>(items: Iterable<Item>, keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) getOrInsert(groups, keyOf(item), () => []).push(item);
  return groups;
}
