import { expect, test } from "vitest";
import { orderStatuses } from "../specification/enums.js";
import { mayBeOmitted, presentIfAllValuesOccur, surveyEnum } from "./omitted-enums.js";

const long = { side: "SIDE_LONG", status: "ORDER_STATUS_PENDING" };
const short = { side: "SIDE_SHORT", status: "ORDER_STATUS_CLOSED" };
const body = { portfolio: { positions: [{ side: "SIDE_LONG", associatedOrders: [short, {}] }], orders: [long, {}] } };

test("rows are counted wherever they are, with what they hold of the field", () => {
  const { seen, omitted } = surveyEnum("side", body);
  expect([...seen].sort()).toEqual(["SIDE_LONG", "SIDE_SHORT"]);
  expect(omitted.examined).toBe(5);
  expect(omitted.violations.map(({ path }) => path)).toEqual([
    "portfolio.orders[1].side",
    "portfolio.positions[0].associatedOrders[1].side",
  ]);
  expect(surveyEnum("status", body).omitted.examined).toBe(4);
  expect(surveyEnum("status", { positions: [{}] }).omitted.examined).toBe(0);
});

test("one value that occurs nowhere may be left out, two may not, and none may not (W2)", () => {
  expect(mayBeOmitted("side", new Set(["SIDE_SHORT"]))).toBe(true);
  expect(mayBeOmitted("side", new Set(["SIDE_SHORT", "SIDE_LONG"]))).toBe(false);
  expect(mayBeOmitted("side", new Set())).toBe(false);
  expect(mayBeOmitted("status", new Set(orderStatuses.slice(1)))).toBe(true);
  expect(mayBeOmitted("status", new Set(orderStatuses.slice(2)))).toBe(false);
});

test("a row without the field is at fault at once where all values occur", () => {
  const orders = { orders: [long, short, {}] };
  expect(presentIfAllValuesOccur("side", [orders], orders).violations).toHaveLength(1);
  expect(presentIfAllValuesOccur("side", [{ orders: [long, {}] }], orders).violations).toHaveLength(0);
  expect(presentIfAllValuesOccur("status", [orders], orders)).toMatchObject({ examined: 3, violations: [] });
});
