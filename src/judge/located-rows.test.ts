import { expect, test } from "vitest";
import { additionalFields, listedOrders, rowPath, shownOrders, shownPositions } from "./located-rows.js";
import { orderJson, positionJson, positions, reduceJson, refJson } from "./rows.fixture.js";

const position = positionJson({ associatedOrders: [reduceJson()], associatedOrderIds: [refJson(reduceJson())] });
const listing = { positions: [positionJson({ associatedOrders: [] }), position] };
const portfolio = { portfolio: { positions: [position], orders: [orderJson()] } };
const snapshots = { messages: [{ body: { positions: [] } }, { body: { positions: [position] } }] };

test("positions are shown by listings, portfolios and the messages of a stream", () => {
  expect(shownPositions("GetAllPositions", listing).map((shown) => rowPath(shown))).toEqual([
    "positions[0]",
    "positions[1]",
  ]);
  expect(shownPositions("GetPortfolio", portfolio).map((shown) => rowPath(shown, "side"))).toEqual([
    "portfolio.positions[0].side",
  ]);
  expect(shownPositions("GetOpenPositionsStreaming", snapshots).map((shown) => rowPath(shown))).toEqual([
    "messages[1].positions[0]",
  ]);
  expect(shownPositions("GetPortfolio", {})).toEqual([]);
});

test("orders are listed, or shown within positions", () => {
  const places = (rows: ReturnType<typeof shownOrders>) => rows.map((shown) => rowPath(shown));
  expect(places(shownOrders("GetOrders", { orders: [orderJson()] }))).toEqual(["orders[0]"]);
  expect(places(shownOrders("GetAllPositions", listing))).toEqual(["positions[1].associatedOrders[0]"]);
  expect(places(shownOrders("GetPortfolio", portfolio))).toEqual([
    "portfolio.orders[0]",
    "portfolio.positions[0].associatedOrders[0]",
  ]);
  expect(places(listedOrders("GetPortfolio", portfolio))).toEqual(["portfolio.orders[0]"]);
  expect(listedOrders("GetAllPositions", listing)).toEqual([]);
});

test("fields beyond the documented ones are told by name", () => {
  const rows = positions(positionJson(), positionJson({ cashRoi: 1, novelty: null }), positionJson({ cashRoi: 2 }));
  expect(additionalFields(rows)).toEqual(["cashRoi", "novelty"]);
  expect(additionalFields(positions(positionJson()))).toEqual([]);
});
