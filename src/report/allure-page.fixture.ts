import { gunzipSync } from "node:zlib";

/** The text files that the script of a report reads, by path. */
export function filesOf(page: string): Readonly<Record<string, string>> {
  const [, packed = ""] = /<script type="text\/plain" id="packed">([\w+/=]*)<\/script>/.exec(page) ?? [];
  const { texts, same } = JSON.parse(gunzipSync(Buffer.from(packed, "base64")).toString("utf8")) as {
    texts: Record<string, string>;
    same: Record<string, string>;
  };
  return { ...texts, ...Object.fromEntries(Object.entries(same).map(([path, first]) => [path, texts[first] ?? ""])) };
}
