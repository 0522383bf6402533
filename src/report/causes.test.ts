import { describe, expect, test } from "vitest";
import type { ViolationGroup } from "../engine/result.js";
import { catalogue } from "../specification/catalogue/index.js";
import type { Endpoint } from "../specification/endpoints.js";
import { blockedRules, byCause, causesIn, oddOneOut, sharedCauseOf } from "./causes.js";
import { blockedBy, checkResult, findingOf, resultsWith } from "./run.fixture.js";
import { sameCauseLine } from "./wording.js";

/** Rules that each fail with these violations. */
function failing(...violations: readonly Partial<ViolationGroup>[][]) {
  return resultsWith(
    violations.map(() => "fail" as const),
    {
      results: violations.map((own, index) =>
        checkResult(`sample.rule-${index}`, "fail", { violations: own.map(findingOf) }),
      ),
    },
  );
}

/** A violation at one place. */
function at(
  exchange: string,
  path: string,
  change: Partial<ViolationGroup> & { seen?: string } = {},
): Partial<ViolationGroup> {
  const { seen = "2.4", ...others } = change;
  return { places: [{ exchange, path, expected: "2.5", seen }], ...others };
}

/** The numbers of the rules of each cause. */
function causes(...violations: readonly Partial<ViolationGroup>[][]): string[] {
  return causesIn(failing(...violations)).map(({ rules }) =>
    rules.map(({ id }) => id.replace("sample.rule-", "")).join("+"),
  );
}

describe("rules that may fail for one cause", () => {
  test("found something at the same place of the same answer", () => {
    expect(causes([at("x/1", "orders[3].status")], [at("x/1", "orders")], [at("x/1", "orders[3].status")])).toEqual([
      "0+2",
      "1",
    ]);
  });

  test("found something at the same place of other answers, or of other rows", () => {
    expect(causes([at("x/1", "orders[3].status")], [at("x/2", "orders[40].status")])).toEqual(["0+1"]);
    const ofAnother = at("x/2", "orders[40].status", { operation: "GetOrders" });
    expect(causes([at("x/1", "orders[3].status")], [ofAnother])).toEqual(["0", "1"]);
  });

  test("had the same surprise for an answer, not another one", () => {
    const html = { seen: "no Connect answer: HTML (HTTP 502)" };
    const success = { seen: "a success", request: "GetOrders {}" };
    expect(causes([at("x/1", "", html)], [at("x/2", "", html)], [at("x/3", "", success)])).toEqual(["2", "0+1"]);
  });

  test("compared the answer that breaks another rule by itself, which goes first", () => {
    const broken = "GetOrders {}";
    const comparedWith = { request: broken, exchange: "x/1", curl: "curl" };
    const listing = { operation: "GetAllOrders" as const, request: "GetAllOrders {}" };
    const compared = at("x/2", "orders", { ...listing, comparedWith });
    const alone = at("x/1", "orders[3].owner", { operation: "GetOrders", request: broken });
    expect(
      causes(
        [compared],
        [alone],
        [at("x/3", "orders", { ...listing, comparedWith: { ...comparedWith, request: "GetAllOrders {}" } })],
      ),
    ).toEqual(["1+0+2"]);
    expect(causes([compared], [{ ...alone, request: "another" }])).toEqual(["1", "0"]);
  });

  /** The rules of each cause, where each of these rules has one violation. */
  function causesOf(violated: Readonly<Record<string, Partial<ViolationGroup>>>): string[][] {
    const ids = Object.keys(violated);
    const { rules } = failing(...Object.values(violated).map((each) => [each]));
    return byCause(rules.map((rule, index) => ({ ...rule, id: ids[index] ?? "" }))).map((cause) =>
      cause.rules.map(({ id }) => id),
    );
  }

  test("take a value as given that breaks another rule on the same operation, which goes first", () => {
    const rows = at("x/1", "orders", { operation: "GetAllOrders" });
    const limit = at("x/2", "pagination.limit");
    const given = { "pagination.row-count": rows, "pagination.limit": limit };
    expect(causesOf({ ...given, "pagination.limit": { ...limit, operation: "GetAllOrders" } })).toEqual([
      ["pagination.limit", "pagination.row-count"],
    ]);
    expect(causesOf(given)).toEqual([["pagination.row-count"], ["pagination.limit"]]);
  });

  test("look for something in a listing of another operation that breaks a rule on it, which goes first", () => {
    const reference = at("x/1", "positions[3].associatedOrderIds[0]", { operation: "GetAllPositions" });
    const listing = at("x/2", "orders", { operation: "GetOrders" });
    expect(causesOf({ "order-ref.names-an-order": reference, "get-orders.all-markets": listing })).toEqual([
      ["get-orders.all-markets", "order-ref.names-an-order"],
    ]);
  });

  test("rely on a rule that relies on another one, which goes first", () => {
    const of = (path: string) => at(`x/${path}`, path, { operation: "GetOrders" });
    const chain = {
      "relations.order-stored-state": of("orders[1].status"),
      "relations.wallet-orders-agree": of("orders"),
      "get-all-orders.address-filter": at("x/2", "orders[0].owner", { operation: "GetAllOrders" }),
    };
    expect(causesOf(chain).map((rules) => [rules[0], rules.length])).toEqual([["get-all-orders.address-filter", 3]]);
  });

  test("never rely on each other in a circle, whatever is violated at once", () => {
    const ids = catalogue.map(({ id }) => id);
    const { rules } = failing(...ids.map(() => []));
    const causesOfAll = byCause(rules.map((rule, index) => ({ ...rule, id: ids[index] ?? "" })));
    expect(causesOfAll.flatMap((cause) => cause.rules.map(({ id }) => id)).sort()).toEqual(ids.toSorted());
  });

  test("saw no Connect error where one was expected, while a rule on errors fails, which goes first", () => {
    const malformed = at("x/1", "", { seen: 'no Connect answer: HTTP 400: "oops"' });
    const shape = at("x/2", "code", { operation: "GetOrders" });
    expect(causesOf({ "selector.zero-id": malformed, "errors.shape": shape })).toEqual([
      ["errors.shape", "selector.zero-id"],
    ]);
    expect(causesOf({ "selector.zero-id": at("x/1", "", { seen: "a success" }), "errors.shape": shape })).toHaveLength(
      2,
    );
  });

  test("judged the answers to a selector that gets another market's, which goes first", () => {
    const asking = (selector: string, more = "") => `GetOrderBook {"market":{${selector}}${more}}`;
    const bySymbols = '"marketSymbol":{"assetSymbol":"LINK","quoteSymbol":"USD"}';
    const turned = '"marketSymbol": {"quoteSymbol": "USD","assetSymbol": "LINK"}';
    const violation = (path: string, request: string) =>
      at(`x/${path}`, path, { operation: "GetOrderBook", request, seen: path });
    const ticks = violation("orderBook.tickSize", asking(turned, ',"tickSize":0.1'));
    const market = violation("orderBook.marketId", asking(bySymbols));
    const together = [["order-book.market-id", "order-book.tick-size-applied"]];
    expect(causesOf({ "order-book.tick-size-applied": ticks, "order-book.market-id": market })).toEqual(together);
    const byId = violation("orderBook.tickSize", asking('"marketId":"7"'));
    expect(causesOf({ "order-book.tick-size-applied": byId, "order-book.market-id": market })).toHaveLength(2);
    // Where ids get another market too, the id shown may be all that is wrong.
    const everywhere = { ...market, otherRequests: [asking('"marketId":"7"')] };
    expect(causesOf({ "order-book.tick-size-applied": ticks, "order-book.market-id": everywhere })).toHaveLength(2);
  });

  test("comes from the one of several operations that is on one side of each comparison", () => {
    const compared = (operation: Endpoint, other: Endpoint) => {
      const comparedWith = { request: `${other} {}`, exchange: "x/2", curl: "curl" };
      return at("x/1", "positions[0].leverage", { operation, request: `${operation} {}`, comparedWith });
    };
    const odd = (...violations: readonly Partial<ViolationGroup>[]) =>
      failing([...violations]).rules.map((rule) => oddOneOut(rule))[0];
    const listing = compared("GetAllPositions", "GetOpenPositionsStreaming");
    const portfolio = compared("GetPortfolio", "GetAllPositions");
    const others = ["GetOpenPositionsStreaming", "GetPortfolio"];
    expect(odd(listing, portfolio)).toEqual({ operation: "GetAllPositions", others });
    expect(odd(listing)).toBeUndefined();
    expect(odd(listing, portfolio, compared("GetPortfolio", "GetOpenPositionsStreaming"))).toBeUndefined();
    expect(odd(listing, portfolio, at("x/3", "positions"))).toBeUndefined();
  });

  test("were surprised by the answer to the same request", () => {
    expect(causes([at("x/1", "", { seen: "this" })], [at("x/2", "", { seen: "that" })])).toEqual(["0+1"]);
    const other = { seen: "that", request: "GetAllPositions {}" };
    expect(causes([at("x/1", "", { seen: "this" })], [at("x/2", "", other)])).toEqual(["1", "0"]);
  });

  test("come in the order of their requests, the shortest first", () => {
    const requests = ["GetOrders {}", "GetOrderBook {}", "GetPortfolio"];
    const [one, two, three] = requests.map((request, index) => at(`x/${index}`, `field${index}`, { request }));
    expect(causes([two ?? {}], [one ?? {}], [three ?? {}])).toEqual(["1", "2", "0"]);
  });

  test("share a place among several, with the first of them", () => {
    const [size, side, owner] = ["size", "side", "owner"].map((field) => at("x/1", `orders[0].${field}`));
    expect(causes([size ?? {}, side ?? {}], [side ?? {}, owner ?? {}], [owner ?? {}])).toEqual(["0+1", "2"]);
    expect(causesIn(failing([size ?? {}, side ?? {}], [side ?? {}]))[0]?.place).toBe(
      "orders[*].side of GetAllPositions",
    );
  });

  test("are told with each of them, and not with a rule that stands alone", () => {
    const results = failing([at("x/1", "a")], [at("x/1", "b")], [at("x/1", "a")]);
    const lines = results.rules.map((rule) => {
      const cause = sharedCauseOf(results, rule);
      return cause && sameCauseLine(rule, cause);
    });
    expect(lines).toEqual([
      "1 other rule may fail for the same cause, at a of GetAllPositions: sample.rule-2",
      undefined,
      "may fail for the same cause as sample.rule-0, at a of GetAllPositions",
    ]);
  });
});

test("blocked rules are told by all the operations that block them, what blocks most of them first", () => {
  const [book, orders] = [blockedBy("GetOrderBook"), blockedBy("GetOrders")];
  const checks = [[book], [orders, book], [orders], [book, orders], [book, book], [book]];
  const results = checks.flatMap((blockers, index) =>
    blockers.map((blocker) => checkResult(`sample.rule-${index}`, "blocked", blocker)),
  );
  const groups = blockedRules(
    resultsWith(
      checks.map(() => "blocked" as const),
      { results },
    ),
  );
  expect(groups.map(({ cause, rules }) => [cause, rules.length])).toEqual([
    ["GetOrderBook answers HTTP 404", 3],
    ["GetOrders answers HTTP 404, and GetOrderBook answers HTTP 404", 2],
    ["GetOrders answers HTTP 404", 1],
  ]);
});
