import { isMessage } from "../connect/envelope.js";
import type { Exchange } from "../connect/exchange.js";

const plotWidth = 900;
const plotHeight = 150;
const margin = 40;
const gridY = 50;
const arrivalY = 95;
/** Maximum number of grid lines drawn; more would merge into a grey area. */
const gridLinesMax = 400;

/**
 * Plots the arrival times of a stream's messages as SVG: on top, the grid that the interval requires, starting at the first
 * message; below, when each message was read. Empty for an exchange without messages.
 *
 * @param intervalMs the effective interval, in milliseconds
 */
export function arrivalPlot(exchange: Exchange, intervalMs: number): string {
  const arrivals = (exchange.frames ?? []).filter(isMessage).map(({ at }) => at);
  const first = arrivals[0];
  if (first === undefined || !(intervalMs > 0)) return "";
  const end = Math.max(exchange.timings.totalMs, arrivals.at(-1) ?? 0, 1);
  const x = (ms: number) => (margin + (ms / end) * (plotWidth - 2 * margin)).toFixed(1);
  const steps = Math.min(gridLinesMax, Math.floor((end - first) / intervalMs) + 1);
  const grid = Array.from({ length: steps }, (_, index) => first + index * intervalMs);
  const line = (at: number, y: number, color: string) =>
    `<line x1="${x(at)}" y1="${y - 12}" x2="${x(at)}" y2="${y + 12}" stroke="${color}" stroke-width="1.5"/>`;
  const text = (left: number, y: number, words: string, anchor = "start") =>
    `<text x="${left}" y="${y}" font-family="sans-serif" font-size="12" fill="#333" text-anchor="${anchor}">${words}</text>`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${plotWidth}" height="${plotHeight}" viewBox="0 0 ${plotWidth} ${plotHeight}">`,
    `<rect width="${plotWidth}" height="${plotHeight}" fill="#fff"/>`,
    text(margin, 22, `expected: one message each ${intervalMs} ms, counted from the first`),
    ...grid.map((at) => line(at, gridY, "#8a93a0")),
    ...arrivals.map((at) => line(at, arrivalY, "#c0392b")),
    text(margin, 130, `seen: ${arrivals.length} messages; the first after ${first.toFixed(0)} ms`),
    text(plotWidth - margin, 130, `${(end / 1000).toFixed(2)} s`, "end"),
    "</svg>",
  ].join("\n");
}

const attribute =
  '(?: (?:x|y|x1|x2|y1|y2|width|height|fill|stroke|stroke-width|font-family|font-size|text-anchor)="[\\w .#-]*")+';
const plot = new RegExp(
  `^<svg xmlns="http://www.w3.org/2000/svg"(?: (?:width|height|viewBox)="[\\d ]+")+>` +
    `(?:\\n<(?:rect|line)${attribute}/>|\\n<text${attribute}>[^<>&]*</text>)*\\n</svg>$`,
);

/** Whether an SVG contains only what {@link arrivalPlot} draws: it may come from an untrusted source. */
export function isArrivalPlot(svg: string): boolean {
  return plot.test(svg);
}
