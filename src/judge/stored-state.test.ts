import { expect, test } from "vitest";
import type { JsonObject } from "../connect/json.js";
import { orderJson, positionJson, reduceJson } from "./rows.fixture.js";
import { ordersState, portfolioState, snapshotState, storedState } from "./stored-state.js";

const older = positionJson({ positionId: "3" });

test("the state of a portfolio is that of its positions and orders, in any order", () => {
  const portfolio = { positions: [positionJson(), older], orders: [orderJson(), reduceJson()], totalEquity: 1 };
  const state = portfolioState({ portfolio });
  const later = { ...portfolio, totalEquity: 2, timestamp: "2026-01-01T00:00:00Z" };
  const shuffled = {
    ...later,
    positions: [older, positionJson({ markPrice: 1 })],
    orders: [reduceJson(), orderJson()],
  };
  expect(portfolioState({ portfolio: shuffled })).toBe(state);
  expect(portfolioState({ portfolio: { ...portfolio, orders: [orderJson()] } })).not.toBe(state);
  expect(portfolioState({ portfolio: { ...portfolio, positions: [older, positionJson({ leverage: 9 })] } })).not.toBe(
    state,
  );
  expect(portfolioState({})).toBe("");
});

test("the state of a list of orders", () => {
  const state = ordersState({ orders: [orderJson(), reduceJson()] });
  expect(ordersState({ orders: [reduceJson(), orderJson()] })).toBe(state);
  expect(ordersState({ orders: [orderJson(), reduceJson({ status: "ORDER_STATUS_CANCELLED" })] })).not.toBe(state);
});

test("the state of a stream is that of its messages, however many there are of the same", () => {
  const message = { positions: [positionJson(), older] };
  const watched = (...bodies: JsonObject[]) => ({ messages: bodies.map((body, at) => ({ body, at })) });
  for (const state of [snapshotState, storedState]) {
    expect(state(watched(message, message))).toBe(state(watched(message)));
    expect(state(watched(message, {}))).not.toBe(state(watched(message)));
    expect(state(watched(message, {}, message))).not.toBe(state(watched(message, {})));
  }
  expect(storedState(message)).toBe(storedState(watched(message)));
});

test("the state of snapshots tells messages apart", () => {
  const messages = [{ body: { positions: [positionJson(), older] } }];
  expect(snapshotState({ messages: [{ body: { positions: [older, positionJson()] } }] })).toBe(
    snapshotState({ messages }),
  );
  expect(snapshotState({ messages: [{ body: {} }, ...messages] })).not.toBe(snapshotState({ messages }));
});
