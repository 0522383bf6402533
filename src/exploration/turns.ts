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
  const last = new Date((to - 1) * 1000);
  const year = last.getUTCFullYear();
  const sundays = [year - 1, year].flatMap((each) => [lastSunday(each, 2), lastSunday(each, 9)]);
  const changes = sundays.filter((ms) => ms <= last.getTime());
  const [yearBegins, monthBegins] = beginningsAt(to - 1);
  const turns = [yearBegins, monthBegins, Math.max(...changes) / 1000, lastLeapDay(last.getTime()) / 1000];
  return turns.filter((seconds) => seconds >= from && seconds < to);
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
