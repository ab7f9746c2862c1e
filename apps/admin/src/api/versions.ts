/** The versions of records, which changes name. */

/** As this page last saw them, by address such as /products/7. */
const seen = new Map<string, string>();
/** Of each record that was read by itself: a page may show one that is older than what was seen last. */
const ofRecords = new WeakMap<object, string>();

const recordsOf = (answer: unknown): [string, object][] =>
  Object.entries(answer ?? {}).filter(([, value]) => typeof value === 'object' && value !== null);

export const versions = {
  note(path: string, version: string | null, answer: unknown): void {
    if (!version) return;
    seen.set(path, version);
    for (const [, record] of recordsOf(answer)) ofRecords.set(record, version);
  },
  of: (path: string): string | undefined => seen.get(path),
  /** Of a record as it is shown; undefined: it was read in a list. */
  ofShown: (record: object): string | undefined => ofRecords.get(record),
  /** `shared` is `answer` with parts of the answer before it, where these are equal. */
  carry<T>(answer: unknown, shared: T): T {
    const sharedRecords = new Map(recordsOf(shared));
    for (const [name, record] of recordsOf(answer)) {
      const version = ofRecords.get(record);
      if (version !== undefined) ofRecords.set(sharedRecords.get(name)!, version);
    }
    return shared;
  },
};
