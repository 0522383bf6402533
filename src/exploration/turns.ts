/** Times at which calendars turn, where stores are split and days are miscounted. */

/**
 * The last beginning of a year, the last of a month, the last Sunday on which summer time begins or ends in Europe, and the last
 * leap day, of those at or after a time and before another one: those that there are, in seconds since 1970 (UTC).
 */
export function turnsWithin(from: number, to: number): readonly number[] {
  const last = new Date((to - 1) * 1000);
  const year = last.getUTCFullYear();
  const sundays = [year - 1, year].flatMap((each) => [lastSunday(each, 2), lastSunday(each, 9)]);
  const changes = sundays.filter((ms) => ms <= last.getTime());
  const turns = [Date.UTC(year), Date.UTC(year, last.getUTCMonth()), Math.max(...changes), lastLeapDay(last.getTime())];
  return turns.map((ms) => ms / 1000).filter((seconds) => seconds >= from && seconds < to);
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
