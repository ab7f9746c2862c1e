/** A code as it was entered; `3*` before it means three of it, `1,5*` that much of what is weighed. */
export interface Scan {
  /** Of this scan alone: the same code may be entered twice. */
  id: string;
  code: string;
  quantity: number;
  /** The code with what stood before it in the search. */
  whole?: string;
}

export function scanFrom(text: string): Omit<Scan, 'id' | 'whole'> | undefined {
  const [, times, code] = /^(?:(\d{1,4}(?:[.,]\d{1,3})?)\*)?(.+)$/.exec(text.trim()) ?? [];
  return code === undefined || code.trim() === '' ? undefined : { code: code.trim(), quantity: Number((times ?? '1').replace(',', '.')) };
}
