/** Keys and subscriptions: what a revocation, a pause, a new secret and a replay promise, whatever died meanwhile. */
import type { History, Violation } from './history.ts';
import type { KeyLife, Span } from './key-life.ts';

export function checkKeys({ lives }: History): Violation[] {
  return lives.flatMap((life) =>
    [...checkLooks(life), ...checkSilence(life), ...checkSecrets(life), ...checkReplays(life)].map(({ rule, detail }) => ({
      rule,
      detail: `key ${life.key}, subscription ${life.subscription}: ${detail}`,
    })),
  );
}

/** A key is admitted until its revocation begins, and by nobody once that has answered. */
function checkLooks({ looks, revoked }: KeyLife): Violation[] {
  return looks.flatMap(({ invokedMs, endedMs, status }) => {
    const isBefore = revoked === null || (revoked !== 'in doubt' && endedMs < revoked.invokedMs);
    const isAfter = revoked !== null && revoked !== 'in doubt' && invokedMs > revoked.endedMs;
    if (isBefore && status === 401) return [{ rule: 'key-refused', detail: 'was answered with 401 before its revocation' }];
    return isAfter && status < 400 && status !== 0
      ? [{ rule: 'key-admitted', detail: `was answered with ${status} after its revocation` }]
      : [];
  });
}

/** No POST begins while it is disabled, nor after its key was revoked. */
function checkSilence({ silences, revoked, sent = [] }: KeyLife): Violation[] {
  const silent = [...silences];
  if (revoked !== null && revoked !== 'in doubt') silent.push({ sinceMs: revoked.endedMs, untilMs: Number.POSITIVE_INFINITY });
  return sent
    .filter(({ atMs }) => silent.some(({ sinceMs, untilMs }) => atMs > sinceMs && atMs < untilMs))
    .map(({ eventId, atMs }) => ({ rule: 'post-silenced', detail: `${eventId} was sent at ${atMs}, when nothing may be` }));
}

/** A delivery that was added after a rotation answered is signed with the new secret, one of before it with the old one. */
function checkSecrets({ secrets, sent = [] }: KeyLife): Violation[] {
  // A secret that a rotation without an answer has made is known to nobody.
  if (secrets.some(({ since }) => since === 'in doubt')) return [];
  const spans = secrets.map(({ since }) => since as Span);
  const inForce = (atMs: number, n: number) => atMs >= spans[n]!.invokedMs && (spans[n + 1] === undefined || atMs <= spans[n + 1]!.endedMs);
  return sent
    .filter(({ addedAtMs, verifiesWith }) => verifiesWith && !verifiesWith.some((n) => inForce(addedAtMs, n)))
    .map(({ eventId }) => ({ rule: 'secret', detail: `${eventId} was not signed with the secret in force` }));
}

/** What a replay has promised to send was sent after it. */
function checkReplays({ replays, revoked, silences, sent = [] }: KeyLife): Violation[] {
  if (revoked !== null || silences.length > 0) return [];
  return replays.flatMap(({ invokedMs, replayed, from_sequence, to_sequence }) => {
    const again = sent.filter(
      ({ sequence, manual, addedAtMs }) => manual && addedAtMs >= invokedMs && sequence >= from_sequence && sequence <= to_sequence,
    );
    const distinct = new Set(again.map(({ eventId }) => eventId)).size;
    return distinct >= replayed ? [] : [{ rule: 'replay-lost', detail: `${replayed} events were to be sent again, and ${distinct} were` }];
  });
}
