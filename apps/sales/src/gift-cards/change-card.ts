/** The transaction of a verb that writes a gift card. Its answer is stored for the Idempotency-Key without the card's number (D265). */
import { answersOf } from '@store/contract';
import { notFound } from '@store/problem';
import type { GiftCardResponse } from '@store/protos/sales/v1.ts';
import { type Call, Reply } from '@store/rpc';
import { change, type Seal } from '@store/service';
import type { Sales } from '../sales.ts';
import { cardById } from './gift-card.query.ts';

type Answer = ReturnType<typeof answersOf>['response'];

const decoded = (response: Answer, bytes: Uint8Array) =>
  response.decode(bytes) as unknown as { gift_card: { id: number; card_number: string } };

const withoutNumber = (response: Answer): Seal => ({
  close: (bytes) => {
    const answer = decoded(response, bytes);
    answer.gift_card.card_number = '';
    return Buffer.from(response.encode(answer).finish());
  },
  open: (bytes) => Buffer.from(bytes),
});

/** A repetition is answered with what was stored, and with the number as the card has it: it never changes. */
export async function changeCard<Shown extends GiftCardResponse = GiftCardResponse, Asked = undefined>(
  app: Sales,
  call: Call,
  work: Parameters<typeof change<Shown, Asked>>[2],
  more: { ask?: () => Promise<Asked> } = {},
): Promise<Shown | Reply<Shown>> {
  const { response } = answersOf(call.rpc);
  const answer = await change<Shown, Asked>(app, call, work, { ...more, seal: withoutNumber(response) });
  if (!(answer instanceof Reply) || !answer.options.bytes) return answer;
  const stored = decoded(response, answer.options.bytes);
  const [card] = await app.db.read(cardById(call.caller.storeId, Number(stored.gift_card.id)));
  if (!card) throw notFound('Gift card');
  stored.gift_card.card_number = card.card_number;
  return new Reply<Shown>(undefined, { ...answer.options, bytes: response.encode(stored).finish() });
}
