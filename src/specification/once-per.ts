/** Caches what a function says of each object, which must not change. An entry lives as long as its object. */
export function oncePer<Key extends object, Value>(read: (key: Key) => Value): (key: Key) => Value {
  const values = new WeakMap<Key, Value>();
  return (key) => {
    const known = values.get(key);
    if (known !== undefined || values.has(key)) return known as Value;
    const value = read(key);
    values.set(key, value);
    return value;
  };
}
