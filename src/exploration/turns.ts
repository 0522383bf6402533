/** Times at which calendars turn, where stores are split and days are miscounted. */

/** The beginnings of the year, the month and the day of a time; all in seconds since 1970 (UTC). */
export function beginningsAt(seconds: number): readonly [year: number, month: number, day: number] {
  const date = new Date(seconds * 1000);
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()];
  return [Date.UTC(year) / 1000, Date.UTC(year, month) / 1000, Date.UTC(year, month, day) / 1000];
}

/**
 * The last beginning of a year, the last of a month, the last Sunday on which summer time begins or ends in Europe, and the last
 * leap day, of those at or after a time and before another one: those that there are, in seconds since 1970 (UTC).
 */
export function turnsWithin(from: number, to: number): readonly number[] {
  const [yearBegins, monthBegins] = beginningsAt(to - 1);
  const leapDay = lastLeapDay((to - 1) * 1000) / 1000;
  const turns = [yearBegins, monthBegins, lastClockSunday(to - 1), leapDay];
  return turns.filter((seconds) => seconds >= from && seconds < to);
}

/** The beginnings of the years at or after a time and before another one, the last ones first and at most five, in seconds since 1970 (UTC). */
export function yearsWithin(from: number, to: number): readonly number[] {
  const year = new Date((to - 1) * 1000).getUTCFullYear();
  return Array.from({ length: 5 }, (_, ago) => Date.UTC(year - ago) / 1000).filter((seconds) => seconds >= from);
}

/** The last time at which clocks were changed in Europe, at one o'clock in the morning, not after a time; both in seconds since 1970 (UTC). */
export function lastClockChange(latest: number): number {
  return lastClockSunday(latest - clockChangeSeconds) + clockChangeSeconds;
}

const clockChangeSeconds = 3600;

/** The last beginning of a Sunday on which summer time begins or ends in Europe, not after a time. */
function lastClockSunday(latest: number): number {
  const year = new Date(latest * 1000).getUTCFullYear();
  const sundays = [year - 1, year].flatMap((each) => [lastSunday(each, 2), lastSunday(each, 9)]);
  return Math.max(...sundays.map((ms) => ms / 1000).filter((seconds) => seconds <= latest));
}

/** The last Sunday of a month, which is counted from 0; in milliseconds since 1970 (UTC). */
function lastSunday(year: number, month: number): number {
  const lastDay = new Date(Date.UTC(year, month + 1, 0));
  return lastDay.setUTCDate(lastDay.getUTCDate() - lastDay.getUTCDay());
}

/** The last 29 February that is not after a time; both in milliseconds since 1970 (UTC). */
export function lastLeapDay(latest: number): number {
  const year = new Date(latest).getUTCFullYear();
  const days = Array.from({ length: 9 }, (_, ago) => new Date(Date.UTC(year - ago, 1, 29)));
  const isLeapDay = (day: Date) => day.getUTCMonth() === 1 && day.getTime() <= latest;
  return Math.max(...days.filter(isLeapDay).map((day) => day.getTime()));
}
