/** A code as it was entered; `3*` before it means three of it. */
export interface Scan {
  /** Of this scan alone: the same code may be entered twice. */
  id: string;
  code: string;
  quantity: number;
  /** The code with what stood before it in the search. */
  whole?: string;
}

export function scanFrom(text: string): Omit<Scan, 'id' | 'whole'> | undefined {
  const [, times, code] = /^(?:([1-9]\d{0,3})\*)?(.+)$/.exec(text.trim()) ?? [];
  return code === undefined || code.trim() === '' ? undefined : { code: code.trim(), quantity: Number(times ?? 1) };
}
