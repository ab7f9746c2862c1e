/** What leaves the API is announced by its answers for twelve months (D30). */
export interface Deprecation {
  since: Date;
  /** The first day on which it may be gone. */
  sunset: Date;
}

const monthsServed = 12;

/** Of an rpc's option `deprecated_since`; throws for what is no day. */
export function deprecationOf(day: string | undefined): Deprecation | undefined {
  if (day === undefined) return undefined;
  const since = new Date(day);
  if (!/^\d{4}-\d\d-\d\d$/.test(day) || Number.isNaN(since.getTime())) throw new Error(`deprecated_since: ${day} is no day (YYYY-MM-DD)`);
  const sunset = new Date(since);
  sunset.setUTCMonth(sunset.getUTCMonth() + monthsServed);
  return { since, sunset };
}

/** Headers of every answer of the endpoint: Deprecation (RFC 9745) and Sunset (RFC 8594). */
export function deprecationHeaders({ since, sunset }: Deprecation): [name: string, value: string][] {
  return [
    ['Deprecation', `@${since.getTime() / 1_000}`],
    ['Sunset', sunset.toUTCString()],
  ];
}
