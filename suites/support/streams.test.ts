import { expect, test } from "vitest";
import { contextOn } from "../../src/engine/context.fixture.js";
import { shownPositions } from "../../src/judge/located-rows.js";
import { orderJson, positionJson, reduceJson, WALLET } from "../../src/judge/rows.fixture.js";
import { triggerPrices } from "../../src/judge/triggers.js";
import { walletSubject } from "../../src/subjects/fake-target.fixture.js";
import { readStreamAndOrders } from "./streams.js";

/** The violations by a stream that shows the trigger of a cancelled order in its first connections only. */
async function violationsOf(connectionsBehind: number): Promise<number> {
  let connections = 0;
  const orders = [orderJson(), reduceJson({ status: "ORDER_STATUS_CANCELLED" })];
  const target = contextOn({ wallets: [walletSubject(WALLET, { openPositions: 1 })] }, (endpoint) => {
    if (endpoint === "GetOrders") return { orders };
    const stopLossPrice = connections++ < connectionsBehind ? 90 : 0;
    return { positions: [positionJson({ stopLossPrice, associatedOrders: [] })] };
  });
  const { stream, known } = await readStreamAndOrders(Object.assign(target, { pause: async () => {} }));
  if (stream.outcome.kind !== "success") throw new Error("the stream showed nothing");
  const positions = shownPositions("GetOpenPositionsStreaming", stream.outcome.body);
  const { examined, violations } = triggerPrices("stopLossPrice", positions, known);
  expect(examined).toBe(1);
  return violations.length;
}

test("a stream that shows a former trigger is watched again, since a replica may have been behind", async () => {
  expect(await violationsOf(0)).toBe(0);
  expect(await violationsOf(1)).toBe(0);
  expect(await violationsOf(2)).toBe(1);
});
