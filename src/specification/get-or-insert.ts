/** A map, or a weak map. */
interface Store<Key, Value> {
  get(key: Key): Value | undefined;
  set(key: Key, value: Value): unknown;
}

/**
 * The value of a key; if there is none, the one that `make` returns, which is kept.
 *
 * `Map.prototype.getOrInsertComputed` does the same, but the oldest supported version of Node does not have it.
 */
export function getOrInsert<Key, Value>(store: Store<Key, Value>, key: Key, make: () => Value): Value {
  const known = store.get(key);
  if (known !== undefined) return known;
  const value = make();
  store.set(key, value);
  return value;
}
