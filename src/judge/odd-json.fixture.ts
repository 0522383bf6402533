import type { Random } from "../reference/random.js";

/** JSON texts of values that a field may be given and hardly any program expects, as they stand on the wire. */
const oddTexts: readonly string[] = [
  ...["1e400", "-1e400", "1e-400", "-0", "-0.0", "0e5", "1E+2", "1.7976931348623157e308", "5e-324", "9007199254740993"],
  ...["8640000000000001", "-8640000000000001", "1e21", "0.1e-320", "7".repeat(25), "7".repeat(999), "7".repeat(10_000)],
  ...[`0.${"3".repeat(10_000)}`, `1e${"9".repeat(300)}`, "-1", "2.5", "4294967296", "2147483648"],
  ...[
    '""',
    '" "',
    '"0"',
    '"-1"',
    '"1e400"',
    '"Infinity"',
    '"NaN"',
    '"0x10"',
    '"null"',
    '"\\ud800"',
    '"\\udc00\\ud800"',
  ],
  ...['"\\u0000"', '"__proto__"', '"constructor"', '"toString"', '"\\u202e"', '"a/b/c"', '"[0]"', '"x[99].y"', '"💥"'],
  ...[`"${"9".repeat(400)}"`, `"${"x".repeat(50_000)}"`, '"SIDE_"', '"ORDER_STATUS_"', '"MARKET-"', '"$&$1"'],
  ...['"0000-01-01T00:00:00Z"', '"9999-12-31T23:59:60Z"', '"9999-12-31T23:59:59.9Z"', '"2024-02-30T00:00:00Z"'],
  ...['"+275760-09-13T00:00:00.001Z"', '"-271821-04-19T23:59:59Z"', `"2024-01-01T00:00:00.${"9".repeat(2_000)}Z"`],
  ...['"2024-01-01T00:00:00+23:59"', '"2016-12-31T23:59:60Z"', '"Thu, 01 Jan 1970 00:00:00 GMT"', '"275760"'],
  ...[
    "null",
    "true",
    "false",
    "[]",
    "{}",
    "[null]",
    "[[]]",
    "[[[1e400]]]",
    "[{}]",
    '[{"__proto__":{}}]',
    "[1,2]",
    "[true]",
  ],
  ...['{"__proto__":{"marketId":"1"}}', '{"constructor":{"prototype":null}}', '{"length":1e400}', '{"then":1}'],
  ...[
    '{"toJSON":"x"}',
    '{"toString":null,"valueOf":null}',
    '{"":""}',
    '{"0":1}',
    '{"a":1,"a":2}',
    '{"hasOwnProperty":1}',
  ],
  ...['{"orderId":{},"marketId":[],"reduceOnly":"x"}', '{"marketId":1e400,"orderId":-0}', '[{"orderId":1e400}]'],
];

/** A JSON text with some values replaced by odd ones, or left out; the same text and numbers give the same. */
export function oddly(text: string, random: Random): string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return text;
  }
  const root = { value };
  const replaced: string[] = [];
  for (let changes = random.integer(1, 3); changes > 0; changes--) {
    const inside = typeof root.value === "object" && root.value !== null ? placesIn(root.value) : [];
    const { holder, name } =
      inside.length === 0 || random.chance(0.03) ? { holder: root, name: "value" } : random.pick(inside);
    if (random.chance(0.1) && !Array.isArray(holder)) Reflect.deleteProperty(holder, name);
    else {
      Reflect.set(holder, name, `@odd ${replaced.length}@`);
      replaced.push(random.pick(oddTexts));
    }
  }
  const written = JSON.stringify(root).replace(
    /"@odd (\d+)@"/g,
    (_, index: string) => replaced[Number(index)] ?? "null",
  );
  return /^\{"value":(.*)\}$/s.exec(written)?.[1] ?? "{}";
}

/** A JSON text in which each member whose name fits a pattern holds the same odd value. */
export function oddEverywhere(text: string, names: string, odd: string): string {
  const members = new RegExp(`("(?:${names})":)(?:"(?:[^"\\\\]|\\\\.)*"|[-\\w.+]+)`, "g");
  return text.replaceAll(members, (_, member: string) => member + odd);
}

interface MemberPlace {
  readonly holder: object;
  readonly name: string;
}

/** Every place in a value; of long lists those in the first rows, and in the last. */
function placesIn(holder: object): MemberPlace[] {
  const names = Object.keys(holder);
  const looked = names.length > 60 ? [...names.slice(0, 4), ...names.slice(-2)] : names;
  return looked.flatMap((name) => {
    const inner: unknown = Reflect.get(holder, name);
    const here = { holder, name };
    return typeof inner === "object" && inner !== null ? [here, ...placesIn(inner)] : [here];
  });
}
