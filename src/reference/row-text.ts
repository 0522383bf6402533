import { toJsonString } from "@bufbuild/protobuf";
import type { Candle } from "./candles.js";
import type { Dataset } from "./dataset/dataset.js";
import type { Market, OrderRecord, PositionRecord } from "./dataset/model.js";
import { OrderSchema } from "./gen/order_service/v1/order_service_pb.js";
import { PositionSchema } from "./gen/position_service/v1/position_service_pb.js";
import { orderMessage, positionMessage, streamPositionMessage } from "./messages.js";

// Pages of a thousand rows are what a conformance run asks for most, and writing them costs more than all else. A row's
// text is kept for as long as its record lives, unless there are so many that memory would be dearer than time.
const keptRows = 250_000;

/** A text and the market that it was written with: its name, tick and live data are part of the row. */
interface Written {
  readonly market: Market | undefined;
  readonly text: string;
}

function kept<Row extends OrderRecord | PositionRecord>(
  write: (dataset: Dataset, row: Row) => string,
): (dataset: Dataset, row: Row) => string {
  const written = new WeakMap<Row, Written>();
  return (dataset, row) => {
    const market = dataset.markets.get(row.marketId);
    const known = written.get(row);
    if (known !== undefined && known.market === market) return known.text;
    const text = write(dataset, row);
    if (dataset.orders.length <= keptRows) written.set(row, { market, text });
    return text;
  };
}

/** The order's JSON, exactly as the codec writes it. */
export const orderText = kept((dataset, order: OrderRecord) => toJsonString(OrderSchema, orderMessage(dataset, order)));

/** The position's JSON, exactly as the codec writes it. */
export const positionText = kept((dataset, position: PositionRecord) =>
  toJsonString(PositionSchema, positionMessage(dataset, position)),
);

/** The same as a stream entry. */
export const streamPositionText = kept((dataset, position: PositionRecord) =>
  toJsonString(PositionSchema, streamPositionMessage(dataset, position)),
);

/** A response of candles, exactly as the codec writes it: zeros and an empty list are left out. */
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

/** Longer lists are written piece by piece. */
export const manyRows = 2_000;

/** A few milliseconds' work. */
const rowsAtOnce = 500;

/** A response of many rows, piece by piece, each row written only when it is its turn. */
export function* listPieces<Row>(name: string, rows: readonly Row[], write: (row: Row) => string): Generator<string> {
  for (let at = 0; at < rows.length; at += rowsAtOnce) {
    const texts = rows.slice(at, at + rowsAtOnce).map(write);
    yield `${at === 0 ? `{"${name}":[` : ","}${texts.join(",")}`;
  }
  yield rows.length === 0 ? "{}" : "]}";
}

/** A response of rows and their pagination, where there is one: an empty list is left out, as the codec does. */
export function listText(name: string, rows: readonly string[], pagination?: string): string {
  const members = rows.length === 0 ? [] : [`"${name}":[${rows.join(",")}]`];
  if (pagination !== undefined) members.push(`"pagination":${pagination}`);
  return `{${members.join(",")}}`;
}
