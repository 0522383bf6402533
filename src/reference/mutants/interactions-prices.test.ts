import {
  btc,
  bySymbols,
  doge,
  eth,
  eur,
  gold,
  type InteractionExample,
  nikkei,
  pepe,
  selectorById,
  sol,
  testInteractions,
  timeout,
} from "./interactions.fixture.js";
import { priceInteractions } from "./interactions-prices.js";

const hours = { startTime: "2025-05-01T00:00:00Z", endTime: "2025-05-01T12:00:00Z", interval: "60" };
const hoursEast = { startTime: "2025-05-01T02:00:00+02:00", endTime: "2025-05-01T14:00:00+02:00", interval: "60" };
const hoursWest = { startTime: "2025-04-30T19:00:00-05:00", endTime: "2025-05-01T07:00:00-05:00", interval: "60" };
const minutesIn = (zone: string) => ({
  startTime: `2025-05-01T10:00:00${zone}`,
  endTime: `2025-05-01T11:00:00${zone}`,
  interval: "1",
});
const days = { startTime: "2025-05-01T00:00:00Z", endTime: "2025-05-20T00:00:00Z", interval: "1D" };
const weeks = { ...days, interval: "1W" };
const months = { startTime: "2025-01-01T00:00:00Z", endTime: "2025-06-01T00:00:00Z", interval: "1M" };
const monthsEast = { startTime: "2025-01-01T02:00:00+02:00", endTime: "2025-06-01T02:00:00+02:00", interval: "1M" };
const fortnight = { startTime: "2025-05-01T00:00:00Z", endTime: "2025-05-14T00:00:00Z", interval: "60" };

const dayOfMinutes = { startTime: "2025-05-01T00:00:00Z", endTime: "2025-05-02T00:00:00Z", interval: "1" };

const market = selectorById(btc);

function prices(shows: object, hides: object): InteractionExample {
  const bodyOf = (request: object) => ({ body: { market, ...request } });
  return { endpoint: "GetHistoricalPrices", shows: bodyOf(shows), hides: bodyOf(hides) };
}

testInteractions(priceInteractions, {
  "candles-limit-heeded-for-weeks": prices({ ...weeks, limit: 1 }, { ...days, limit: 1 }),
  "candles-limit-heeded-with-a-time-offset": prices({ ...hoursEast, limit: 1 }, { ...hours, limit: 1 }),
  "candles-of-the-first-market-with-a-limit-for-large-ids": prices(
    { ...hours, market: selectorById(sol), limit: 1 },
    { ...hours, market: selectorById(eth), limit: 1 },
  ),

  "candles-limit-above-1000-is-1000": prices({ ...dayOfMinutes, limit: 5_000 }, { ...dayOfMinutes, limit: 500 }),

  "candles-none-when-the-range-ends-in-the-future": prices(
    { ...days, endTime: "2099-01-01T00:00:00Z", interval: "1M" },
    { ...days, interval: "1M" },
  ),
  "candles-none-when-nanoseconds-overflow": prices(
    { ...days, endTime: "2300-01-01T00:00:00Z", interval: "1M" },
    { ...days, endTime: "2250-01-01T00:00:00Z", interval: "1M" },
  ),
  "candles-from-before-1970-fail": prices(
    { ...months, startTime: "1969-12-31T00:00:00Z", endTime: "1970-02-01T00:00:00Z" },
    { ...months, startTime: "1970-01-01T00:00:00Z", endTime: "1970-02-01T00:00:00Z" },
  ),
  "candles-offset-of-the-end-lost-beside-a-start-in-utc": prices(
    { ...hours, endTime: hoursEast.endTime },
    { ...hoursEast, endTime: hours.endTime },
  ),
  "candles-offset-west-of-utc-lost-beside-a-fraction": prices(
    { ...hoursWest, startTime: "2025-04-30T19:00:00.5-05:00" },
    { ...hoursWest, endTime: "2025-05-01T07:00:00.5-05:00" },
  ),
  "candles-nanoseconds-taken-for-microseconds": prices(
    { ...minutesIn("Z"), startTime: "2025-05-01T10:00:00.500000000Z" },
    { ...minutesIn("Z"), startTime: "2025-05-01T10:00:00.500000Z" },
  ),
  "candles-10000-at-most": prices({ ...dayOfMinutes, startTime: "2025-04-20T00:00:00Z" }, dayOfMinutes),
  "candles-months-from-the-end-of-a-month-begin-early": prices(
    { ...months, startTime: "2025-01-31T00:00:00Z" },
    { ...months, startTime: "2025-01-28T00:00:00Z" },
  ),
  "candles-365-days-at-most": prices({ ...days, startTime: "2024-04-01T00:00:00Z" }, days),
  "candles-from-a-leap-day-refused": prices(
    { ...months, startTime: "2024-02-29T00:00:00Z" },
    { ...months, startTime: "2024-02-28T00:00:00Z" },
  ),
  "candles-not-found-in-a-leap-year": prices(
    { ...days, startTime: "2024-06-01T00:00:00Z" },
    { ...days, startTime: "2025-06-01T00:00:00Z" },
  ),
  "candles-crash-on-a-range-within-an-interval": prices(
    { ...days, endTime: "2025-05-01T05:00:00Z" },
    { ...days, endTime: "2025-05-02T05:00:00Z" },
  ),
  "candles-refused-for-a-range-within-a-second": prices(
    { startTime: "2025-05-01T10:00:00.2Z", endTime: "2025-05-01T10:00:00.8Z", interval: "1S" },
    { startTime: "2025-05-01T10:00:00.2Z", endTime: "2025-05-01T10:00:01.8Z", interval: "1S" },
  ),
  "candles-5000-hours-at-most": prices({ ...hours, startTime: "2024-05-01T00:00:00Z" }, hours),
  "candles-january-lost-in-months-over-a-new-year": prices({ ...months, startTime: "2024-11-01T00:00:00Z" }, months),
  "candles-december-lost-over-a-new-year": prices(
    { ...months, startTime: "2024-11-01T00:00:00Z" },
    { ...months, startTime: "2024-12-01T00:00:00Z" },
  ),
  "candles-of-hours-end-with-the-year": prices(
    { startTime: "2024-12-31T20:00:00Z", endTime: "2025-01-01T04:00:00Z", interval: "60" },
    { startTime: "2025-01-01T00:00:00Z", endTime: "2025-01-01T04:00:00Z", interval: "60" },
  ),
  "candles-day-of-summer-time-lost": prices(
    { ...days, startTime: "2025-03-25T00:00:00Z" },
    { ...days, startTime: "2025-03-30T00:00:00Z" },
  ),
  "candles-hour-of-a-clock-change-lost": prices(
    { startTime: "2025-03-30T00:00:00Z", endTime: "2025-03-30T04:00:00Z", interval: "60" },
    { startTime: "2025-03-30T01:00:00Z", endTime: "2025-03-30T04:00:00Z", interval: "60" },
  ),
  "candles-week-of-a-new-year-lost": prices(
    { startTime: "2024-12-10T00:00:00Z", endTime: "2025-01-20T00:00:00Z", interval: "1W" },
    { startTime: "2024-12-30T00:00:00Z", endTime: "2025-01-20T00:00:00Z", interval: "1W" },
  ),
  "candles-start-of-1970-taken-for-none": prices(
    { ...months, startTime: "1970-01-01T00:00:00Z" },
    { ...months, startTime: "1970-01-01T00:00:01Z" },
  ),
  "candles-from-the-end-of-december-a-year-late": prices(
    { ...months, startTime: "2024-12-31T00:00:00Z" },
    { ...months, startTime: "2024-12-30T00:00:00Z" },
  ),

  "candles-time-offset-ignored-for-minutes": prices(minutesIn("+02:00"), hoursEast),
  "candles-time-offset-west-of-utc-read-as-east": prices(hoursWest, hoursEast),
  "candles-minutes-of-a-time-offset-ignored": prices(minutesIn("+05:30"), minutesIn("+05:00")),
  "candles-of-one-market-two-intervals-late": prices({ ...hours, market: selectorById(nikkei) }, hours),
  "candles-of-one-market-200-at-most": prices(
    { ...fortnight, market: selectorById(pepe) },
    { ...hours, market: selectorById(pepe) },
  ),
  "candles-last-of-a-month-lost-in-large-ids": prices(
    { ...months, market: selectorById(doge) },
    { ...weeks, market: selectorById(doge) },
  ),

  "candles-mid-null-in-one-market-for-months": prices(
    { ...months, market: selectorById(gold) },
    { ...weeks, market: selectorById(gold) },
  ),
  "candles-high-of-one-market-at-its-open-for-days": prices(
    { ...days, market: selectorById(eur) },
    { ...hours, market: selectorById(eur) },
  ),

  "candles-months-refused-with-a-time-offset": prices(monthsEast, months),
  "candles-refused-in-one-market-with-a-limit": prices(
    { ...days, market: selectorById(doge), limit: 5 },
    { ...days, market: selectorById(doge) },
  ),
  "candles-of-the-first-market-without-a-market-and-an-interval": prices(
    { ...hours, market: undefined, interval: undefined },
    { ...hours, market: undefined },
  ),
  "candles-symbols-resolved-for-days": prices(
    { ...days, market: bySymbols(eth) },
    { ...weeks, market: bySymbols(eth) },
  ),
  "candles-crash-on-a-limit-with-a-time-offset-for-hours": prices({ ...hoursEast, limit: 5 }, hoursEast),
  "candles-end-lost-with-a-timeout-for-hours": {
    endpoint: "GetHistoricalPrices",
    shows: { body: { market, ...hours }, headers: timeout },
    hides: { body: { market, ...days }, headers: timeout },
  },
});
