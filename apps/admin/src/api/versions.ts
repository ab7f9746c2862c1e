/** The versions of records as this page last saw them, by address such as /products/7. A change names the one that its form shows. */
const seen = new Map<string, string>();

export const versions = {
  note: (path: string, version: string | null) => void (version && seen.set(path, version)),
  of: (path: string) => seen.get(path),
};
