/** Memoizes a function of an object, which must not change. An entry lives as long as its object. */
export function memoize<Key extends object, Value>(read: (key: Key) => Value): (key: Key) => Value {
  const values = new WeakMap<Key, Value>();
  return (key) => {
    const known = values.get(key);
    if (known !== undefined || values.has(key)) return known as Value;
    const value = read(key);
    values.set(key, value);
    return value;
  };
}
