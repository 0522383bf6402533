import { describe, expect, test } from "vitest";
import { markedJson, prettyPrinted } from "./marked-json.js";

const orders = (count: number) =>
  JSON.stringify({ orders: Array.from({ length: count }, (_, index) => ({ id: String(index), size: index })) });

describe("a JSON text on a page", () => {
  test("keeps each token as it was sent", () => {
    expect(prettyPrinted('{"a":1e-2,"id":9007199254740995}')).toBe('{\n  "a": 1e-2,\n  "id": 9007199254740995\n}');
    expect(prettyPrinted("no JSON")).toBeUndefined();
  });

  test("has the value at a place marked, with its name", () => {
    const page = markedJson('{"orders":[{"id":"1"},{"id":"2","size":3}]}', ["/orders/1/size"]);
    expect([...page.matchAll(/<mark>(.*?)<\/mark>/g)].map(([, marked]) => marked)).toEqual(["&#34;size&#34;: 3"]);
  });

  test("has what surrounds a place marked, where that is missing", () => {
    const page = markedJson('{"orders":[{"id":"1"}]}', ["/orders/0/owner"]);
    expect(page.match(/<mark>/g)).toHaveLength(3);
    expect(page).toContain("<mark>&#34;id&#34;: &#34;1&#34;</mark>");
  });

  test("has only the first line of a long list marked", () => {
    const page = markedJson(orders(500), ["/orders"]);
    expect([...page.matchAll(/<mark>(.*?)<\/mark>/g)].map(([, marked]) => marked)).toEqual(["&#34;orders&#34;: ["]);
    expect(page).toMatch(/… \d+ more lines/);
  });

  test("is shortened to what is near its marks, and says by how much", () => {
    const page = markedJson(orders(500), ["/orders/300/size"]);
    expect(page).toContain("<mark>&#34;size&#34;: 300</mark>");
    expect(page).toMatch(/… \d+ more lines/);
    expect(page.split("\n").length).toBeLessThan(40);
  });

  test("does nothing, whatever is in it", () => {
    const hostile = JSON.stringify({ "<script>": "</pre><img src=x>\u202e" });
    expect(markedJson(hostile, ["/<script>"])).not.toMatch(/<(?!\/?mark>)|\u202e/);
    expect(markedJson("<b>", ["/a"])).toBe("&#60;b&#62;");
  });
});
