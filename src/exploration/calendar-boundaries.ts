/** Calendar boundaries: times where stores are partitioned and days are miscounted. */

/** The start of the year, month and day that contain a time. All in Unix seconds (UTC). */
export function startsOfPeriods(seconds: number): readonly [year: number, month: number, day: number] {
  const date = new Date(seconds * 1000);
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()];
  return [Date.UTC(year) / 1000, Date.UTC(year, month) / 1000, Date.UTC(year, month, day) / 1000];
}

/**
 * Calendar boundaries in the range from `from` (inclusive) to `to` (exclusive), in Unix seconds (UTC): the last start of a
 * year, the last start of a month, the last Sunday on which European summer time begins or ends, and the last leap day.
 * Those outside the range are left out.
 */
export function boundariesWithin(from: number, to: number): readonly number[] {
  const [yearBegins, monthBegins] = startsOfPeriods(to - 1);
  const leapDay = lastLeapDay((to - 1) * 1000) / 1000;
  const boundaries = [yearBegins, monthBegins, lastClockSunday(to - 1), leapDay];
  return boundaries.filter((seconds) => seconds >= from && seconds < to);
}

/**
 * The starts of years in the range from `from` (inclusive) to `to` (exclusive), newest first, at most five. Unix seconds
 * (UTC).
 */
export function yearStartsWithin(from: number, to: number): readonly number[] {
  const year = new Date((to - 1) * 1000).getUTCFullYear();
  return Array.from({ length: 5 }, (_, ago) => Date.UTC(year - ago) / 1000).filter((seconds) => seconds >= from);
}

/** The last European clock change (01:00 UTC) at or before a time. Both in Unix seconds (UTC). */
export function lastClockChange(latest: number): number {
  return lastClockSunday(latest - clockChangeSeconds) + clockChangeSeconds;
}

const clockChangeSeconds = 3600;

/** The start of the last Sunday, at or before a time, on which European summer time begins or ends. */
function lastClockSunday(latest: number): number {
  const year = new Date(latest * 1000).getUTCFullYear();
  const sundays = [year - 1, year].flatMap((each) => [lastSunday(each, 2), lastSunday(each, 9)]);
  return Math.max(...sundays.map((ms) => ms / 1000).filter((seconds) => seconds <= latest));
}

/** The last Sunday of a month (0-based), in Unix milliseconds (UTC). */
function lastSunday(year: number, month: number): number {
  const lastDay = new Date(Date.UTC(year, month + 1, 0));
  return lastDay.setUTCDate(lastDay.getUTCDate() - lastDay.getUTCDay());
}

/** The last 29 February at or before a time. Both in Unix milliseconds (UTC). */
export function lastLeapDay(latest: number): number {
  const year = new Date(latest).getUTCFullYear();
  const days = Array.from({ length: 9 }, (_, ago) => new Date(Date.UTC(year - ago, 1, 29)));
  const isLeapDay = (day: Date) => day.getUTCMonth() === 1 && day.getTime() <= latest;
  return Math.max(...days.filter(isLeapDay).map((day) => day.getTime()));
}
