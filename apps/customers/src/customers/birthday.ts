/** Age and birthday by the store's calendar (D87). */

/** A calendar date, YYYY-MM-DD. */
type CalendarDate = string;

/** Whole years from `born` to `today`; a date that the store's time zone puts in the future is 0 years ago. */
export function ageOn(today: CalendarDate, born: CalendarDate): number {
  const years = Number(today.slice(0, 4)) - Number(born.slice(0, 4));
  return Math.max(0, today.slice(5) < born.slice(5) ? years - 1 : years);
}

/** Who was born on 29 February has the birthday on 1 March of other years, the day on which the age rises. */
export function isBirthday(today: CalendarDate, born: CalendarDate): boolean {
  const [month, day] = [today.slice(5), born.slice(5)];
  return month === day || (day === '02-29' && month === '03-01' && !isLeapYear(Number(today.slice(0, 4))));
}

function isLeapYear(year: number): boolean {
  return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
}
