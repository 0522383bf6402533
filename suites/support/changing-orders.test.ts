import { expect, test } from "vitest";
import { contextOn, type FakeTarget } from "../../src/engine/context.fixture.js";
import { Inconclusive } from "../../src/engine/signals.js";
import { orderJson } from "../../src/judge/rows.fixture.js";
import { walletSubject } from "../../src/subjects/fake-target.fixture.js";
import { changingOrders } from "./changing-orders.js";

const open = (owner: string, orderId = "1") => orderJson({ owner, orderId, status: "ORDER_STATUS_PENDING" });

/** A context in which no time passes. */
const on = (target: FakeTarget, wallets = [walletSubject("0x01")]) =>
  Object.assign(contextOn({ wallets }, target), { pause: async () => {} });

const still: FakeTarget = (endpoint) =>
  endpoint === "GetPortfolio" ? { portfolio: { orders: [open("0x01")] } } : { orders: [open("0x01"), open("0x02")] };

test("orders of the wallets with the newest open ones are read, twice at rest", async () => {
  const context = on(still);
  const wallets = await changingOrders(context);
  expect(wallets.map(({ answers }) => answers.length)).toEqual([10, 10]);
  expect(context.requests).toHaveLength(1 + 20);
  expect(
    wallets[0]?.reads.map(({ answer, endpoint }) => wallets[0]?.answers[answer]?.endpoint === endpoint),
  ).not.toContain(false);
});

test("orders that change are read again and again", async () => {
  let asked = 0;
  const context = on((endpoint, request) =>
    endpoint === "GetOrders" ? { orders: [open("0x01", String(++asked))] } : still(endpoint, request),
  );
  const wallets = await changingOrders(context);
  expect(wallets.map(({ answers }) => answers.length)).toEqual([40, 40]);
  expect(context.requests).toHaveLength(1 + 80);
});

test("wallets with a great many orders are left out, and one has to be there", async () => {
  const heavy = on(still, [walletSubject("0x01", { orders: 5_000 })]);
  expect(await changingOrders(heavy)).toHaveLength(1);
  const none = on(() => ({ orders: [] }));
  await expect(changingOrders(none)).rejects.toThrow(Inconclusive);
});
