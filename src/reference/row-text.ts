import { toJsonString } from "@bufbuild/protobuf";
import type { Candle } from "./candles.js";
import type { Dataset } from "./dataset/dataset.js";
import type { Market, OrderRecord, PositionRecord } from "./dataset/model.js";
import { OrderSchema } from "./gen/order_service/v1/order_service_pb.js";
import { PositionSchema } from "./gen/position_service/v1/position_service_pb.js";
import { orderMessage, positionMessage, streamPositionMessage } from "./messages.js";

// Conformance runs mostly request pages of a thousand rows, and serializing them is the main cost. A row's text is cached as
// long as its record lives, unless the dataset is so large that memory would matter more.
const maxCachedRows = 250_000;

/** A row's text, and the market it was written with: name, tick and live data are part of the row. */
interface WrittenRow {
  readonly market: Market | undefined;
  readonly text: string;
}

function cached<Row extends OrderRecord | PositionRecord>(
  write: (dataset: Dataset, row: Row) => string,
): (dataset: Dataset, row: Row) => string {
  const written = new WeakMap<Row, WrittenRow>();
  return (dataset, row) => {
    const market = dataset.markets.get(row.marketId);
    const known = written.get(row);
    if (known !== undefined && known.market === market) return known.text;
    const text = write(dataset, row);
    if (dataset.orders.length <= maxCachedRows) written.set(row, { market, text });
    return text;
  };
}

/** The order's JSON, exactly as the codec would write it. */
export const orderText = cached((dataset, order: OrderRecord) =>
  toJsonString(OrderSchema, orderMessage(dataset, order)),
);

/** The position's JSON, exactly as the codec would write it. */
export const positionText = cached((dataset, position: PositionRecord) =>
  toJsonString(PositionSchema, positionMessage(dataset, position)),
);

/** The position's JSON as a stream entry. */
export const streamPositionText = cached((dataset, position: PositionRecord) =>
  toJsonString(PositionSchema, streamPositionMessage(dataset, position)),
);

/** The JSON of a candle response, exactly as the codec would write it: without zeros and empty lists. */
export function candlesText(candles: readonly Candle[]): string {
  const unlessZero = (figure: number) => (figure === 0 ? undefined : figure);
  const rows = candles.map(({ start, open, high, low, close, mid, volume }) => ({
    timestamp: `${new Date(start).toISOString().slice(0, 19)}Z`,
    open: unlessZero(open),
    high: unlessZero(high),
    low: unlessZero(low),
    close: unlessZero(close),
    mid: unlessZero(mid),
    volume: unlessZero(volume),
  }));
  return JSON.stringify(rows.length === 0 ? {} : { priceCandleSticks: rows, totalCount: rows.length });
}

/** Lists longer than this are written in pieces. */
export const manyRows = 2_000;

/** Rows per piece: a few milliseconds of work. */
const rowsAtOnce = 500;

/** The JSON of a list response in pieces. Each row is written only when its piece is requested. */
export function* listPieces<Row>(name: string, rows: readonly Row[], write: (row: Row) => string): Generator<string> {
  for (let at = 0; at < rows.length; at += rowsAtOnce) {
    const texts = rows.slice(at, at + rowsAtOnce).map(write);
    yield `${at === 0 ? `{"${name}":[` : ","}${texts.join(",")}`;
  }
  yield rows.length === 0 ? "{}" : "]}";
}

/** The JSON of a list response, with pagination if given. An empty list is left out, as by the codec. */
export function listText(name: string, rows: readonly string[], pagination?: string): string {
  const members = rows.length === 0 ? [] : [`"${name}":[${rows.join(",")}]`];
  if (pagination !== undefined) members.push(`"pagination":${pagination}`);
  return `{${members.join(",")}}`;
}
