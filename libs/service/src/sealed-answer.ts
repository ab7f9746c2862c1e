/** An answer that holds a secret: encrypted when stored for its Idempotency-Key (D185), and never cached. */
import type { KeyRing } from '@store/db';
import { type Caller, Reply } from '@store/rpc';
import type { Seal } from './change.ts';

const noStore = { 'Cache-Control': 'no-store' };

/** `actor` names who sent the key, as the app's `sealedAnswers` read it back from the stored row. */
export function answerSeal(ring: KeyRing, { storeId, idempotency }: Caller, actor: string | number): Seal {
  const associated = `idempotency:${storeId}:${actor}:${idempotency?.key ?? ''}`;
  return {
    close: (bytes) => Buffer.from(ring.seal(bytes, associated)),
    open: (bytes) => ring.open(Buffer.from(bytes).toString(), associated),
  };
}

export function notCached<Message>(answer: Message | Reply<Message>): Reply<Message> {
  if (!(answer instanceof Reply)) return new Reply(answer, { headers: noStore });
  return new Reply(answer.message, { ...answer.options, headers: { ...answer.options.headers, ...noStore } });
}
