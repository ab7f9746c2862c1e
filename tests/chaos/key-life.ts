/** What a run keeps of a key and its subscription. */

/** When a request began and when its success was known, by the clock of this machine. */
export interface Span {
  invokedMs: number;
  endedMs: number;
}

/** A key and its subscription, from their creation to the key's revocation. Times are of the clock of this machine. */
export interface KeyLife {
  key: number;
  subscription: number | null;
  /** Of its receiver's URL. */
  path: string;
  looks: { invokedMs: number; endedMs: number; status: number }[];
  /** In which it was known to be disabled. */
  silences: { sinceMs: number; untilMs: number }[];
  /** In the order in which they were made. */
  secrets: { secret: string; since: Span | 'in doubt' }[];
  replays: { invokedMs: number; replayed: number; from_sequence: number; to_sequence: number }[];
  /** Null: it never was. */
  revoked: Span | 'in doubt' | null;
  /** Its lines of the attempt log; `verifiesWith`: the secrets, by place, with which all POSTs of the line verify. */
  sent?: { eventId: string; sequence: number; manual: boolean; addedAtMs: number; atMs: number; verifiesWith?: number[] }[];
}
