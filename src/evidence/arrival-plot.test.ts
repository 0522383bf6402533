import { expect, test } from "vitest";
import { arrivalPlot } from "./arrival-plot.js";
import { streamExchange } from "./exchange.fixture.js";

const frames = [0, 250, 500].map((at) => ({ at, flags: 0, data: "{}" }));
const lines = (svg: string, color: string) =>
  svg.split("\n").filter((line) => line.includes(`stroke="${color}"`)).length;

test("draws a line for each arrival, and the grid that the interval asks for", () => {
  const svg = arrivalPlot(streamExchange({ frames, timings: { headersMs: 1, totalMs: 600 } }), 100);
  expect(svg).toMatch(/^<svg /);
  expect(lines(svg, "#c0392b")).toBe(3);
  expect(lines(svg, "#8a93a0")).toBe(7);
});

test("leaves out the end-of-stream frame, and draws nothing without a message", () => {
  const end = { at: 600, flags: 2, data: "{}" };
  expect(lines(arrivalPlot(streamExchange({ frames: [...frames, end] }), 250), "#c0392b")).toBe(3);
  expect(arrivalPlot(streamExchange({ frames: [end] }), 250)).toBe("");
});

test("keeps a storm of messages within a picture", () => {
  const storm = Array.from({ length: 3 }, (_, at) => ({ at, flags: 0, data: "{}" }));
  const svg = arrivalPlot(streamExchange({ frames: storm, timings: { headersMs: 1, totalMs: 1e9 } }), 1);
  expect(lines(svg, "#8a93a0")).toBe(400);
});
