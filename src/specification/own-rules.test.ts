import { expect, test } from "vitest";
import { anyRuleById, type OwnRuleText, rule } from "./own-rules.js";

const text: OwnRuleText = {
  section: "§4.3",
  statement: "Orders are few.",
  level: "mandatory",
  endpoints: ["GetAllOrders"],
  impact: "Pages grow.",
};

test("a rule of one's own is known by its id, beside those of the catalogue", () => {
  expect(rule("x-acme.few-orders", text)).toBe("x-acme.few-orders");
  expect(anyRuleById("x-acme.few-orders")).toEqual({ id: "x-acme.few-orders", ...text });
  expect(anyRuleById("get-all-positions.limit-default").section).toBe("§4.1");
  expect(() => anyRuleById("x-acme.many-orders")).toThrow(/not declared/);
});

test("an id stands for one rule, and has the form of an own rule's", () => {
  rule("x-acme.same", text);
  expect(() => rule("x-acme.same", { ...text })).not.toThrow();
  expect(() => rule("x-acme.same", { ...text, level: "advisory" })).toThrow(/two rules/);
  expect(() => rule("x-Acme.upper", text)).toThrow(/must be like/);
});
