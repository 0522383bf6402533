import { describe, expect, test } from "vitest";
import type { HttpRequest } from "../connect/exchange.js";
import { jsonNotations, stringify } from "../connect/json.js";
import { requestFromWords, requestInWords } from "./request-in-words.js";

function words(change: Partial<HttpRequest> = {}, headers: readonly (readonly [string, string])[] = []): string {
  const ordinary = [
    ["Content-Type", "application/json"],
    ["Connect-Protocol-Version", "1"],
    ["Authorization", "Bearer secret"],
  ] as const;
  const changed = headers.map(([name]) => name);
  return requestInWords({
    endpoint: "GetOrders",
    method: "POST",
    url: "http://127.0.0.1/",
    headers: [...ordinary.filter(([name]) => !changed.includes(name)), ...headers.filter(([, value]) => value !== "")],
    body: '{"address":"0xabc"}',
    ...change,
  });
}

describe("a request in words", () => {
  test("is the operation and the body as it was sent", () => {
    expect(words()).toBe('GetOrders {"address":"0xabc"}');
    expect(words({ body: '{"limit": 1e1,"limit":2' })).toBe('GetOrders {"limit": 1e1,"limit":2');
    expect(words({ body: "" })).toBe("GetOrders with an empty body");
  });

  test("shows the body readably, and tells the notation that it was sent in", () => {
    const body = { address: 'a"b', market: { marketId: "1" } };
    const shown = '{"address":"a\\"b","market":{"marketId":"1"}}';
    expect(words({ body: stringify(body, "with escapes") })).toBe(`GetOrders ${shown}, its JSON with escapes`);
    const lines = words({ body: stringify(body, "over several lines") });
    expect(lines).toBe(`GetOrders ${shown.replaceAll('":', '": ')}, its JSON over several lines`);
    for (const notation of [undefined, ...jsonNotations]) {
      const told = requestFromWords(words({ body: stringify(body, notation) }));
      expect(told?.body).toEqual(body);
      if (notation !== "in the opposite order") expect(told?.notation).toBe(notation);
    }
  });

  test("says what is out of the ordinary, and nothing else", () => {
    expect(words({ method: "GET", body: "" })).toBe("GetOrders with an empty body, method GET");
    expect(words({}, [["Connect-Protocol-Version", ""]])).toMatch(/, without Connect-Protocol-Version$/);
    expect(words({}, [["Content-Type", "text/plain"]])).toMatch(/, Content-Type: text\/plain$/);
    expect(words({}, [["Connect-Timeout-Ms", "500"]])).toMatch(/, Connect-Timeout-Ms: 500$/);
  });

  test("keeps an escaped backslash before what looks like an escape", () => {
    const body = String.raw`{"address":"\\u0041"}`;
    expect(words({ body })).toBe(`GetOrders ${body}`);
    expect(words({ body: String.raw`{"address":"\u0041\\u0041"}` })).toBe(
      String.raw`GetOrders {"address":"A\\u0041"}, its JSON with escapes`,
    );
  });

  test("keeps every field of a long body, and says that it was shortened", () => {
    const body = `{"address":"${" ".repeat(5000)}0xabc","limit":5}`;
    expect(words({ body })).toMatch(
      /^GetOrders \{"address":" +…" \(5005 characters\),"limit":5\} \(shortened: 5029 characters were sent\)$/,
    );
    expect(words({ body: "{".repeat(5000) })).toMatch(/^GetOrders \{+… \(shortened: 5000 characters were sent\)$/);
  });
});

describe("a request that words tell of", () => {
  test("is the one that they were made of", () => {
    const body = { address: "0xabc" };
    expect(requestFromWords(words())).toEqual({ endpoint: "GetOrders", body, headers: {} });
    expect(requestFromWords(words({}, [["Connect-Protocol-Version", ""]]))?.headers).toEqual({
      "Connect-Protocol-Version": null,
    });
    expect(requestFromWords(words({}, [["Connect-Timeout-Ms", "500"]]))?.headers).toEqual({
      "Connect-Timeout-Ms": "500",
    });
  });

  test("is none where they do not tell all of it", () => {
    for (const change of [{ method: "GET", body: "" }, { body: "{" }, { body: `{"a":"${" ".repeat(5000)}"}` }])
      expect(requestFromWords(words(change as Partial<HttpRequest>))).toBeUndefined();
    expect(requestFromWords(words({}, [["Content-Type", "text/plain"]]))).toBeUndefined();
    expect(requestFromWords("GetNothing {}")).toBeUndefined();
  });
});
