/** What managers do with a card: hold some of it, correct its balance, change when it expires, cancel it. */

import { Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import type { Schemas } from '../api/gen/api.js';
import { useWrite } from '../api/query.ts';
import { useStore } from '../api/store.ts';
import { t } from '../language/t.ts';
import { Confirm } from '../parts/confirm.tsx';
import { FormDialog } from '../parts/form-dialog.tsx';
import { MoneyField } from '../parts/money-field.tsx';
import { TextField } from '../parts/text-field.tsx';
import { dayIn } from '../parts/time.tsx';

type Card = Schemas['GiftCard'];
type Action = 'hold' | 'adjust' | 'expiry' | 'cancel';

interface ActionProps {
  card: Card;
  onClose: () => void;
}

export function CardActions({ card }: { card: Card }) {
  const [action, setAction] = useState<Action>();
  const { isKnown } = useStore();
  const close = () => setAction(undefined);
  const cancel = useWrite('cancelGiftCard', written(t('The card is cancelled'), close));
  if (card.status === 'cancelled') return null;
  const names: [Action, string][] = [
    ['hold', t('Hold|verb')],
    ['adjust', t('Correct the balance')],
    ['expiry', t('Change the expiry')],
    ['cancel', t('Cancel the card')],
  ];
  return (
    <>
      <Group gap="xs">
        {names.map(([one, name]) => (
          <Button key={one} variant="default" onClick={() => setAction(one)}>
            {name}
          </Button>
        ))}
      </Group>
      {action === 'hold' && <HoldCard card={card} onClose={close} />}
      {action === 'adjust' && <AdjustCard card={card} onClose={close} />}
      {/* Its last day is one of the store's time zone. */}
      {action === 'expiry' && isKnown && <ExpireCard card={card} onClose={close} />}
      <Confirm
        opened={action === 'cancel'}
        title={t('Cancel this card?')}
        action={t('Cancel the card')}
        sent={cancel}
        onClose={close}
        onConfirm={() => cancel.mutate({ params: { id: card.id } })}
      >
        {t('Its balance is lost, and it cannot be used again.')}
      </Confirm>
    </>
  );
}

function written(done: string, onDone: () => void) {
  return { changes: ['lookupGiftCard', 'listGiftCardTransactions', 'listHolds'] as const, quiet: true, done, onDone };
}

function HoldCard({ card, onClose }: ActionProps) {
  const [amount, setAmount] = useState('');
  const hold = useWrite('holdGiftCard', written(t('The amount is held'), onClose));
  return (
    <FormDialog
      title={t('Hold an amount')}
      action={t('Hold|verb')}
      onClose={onClose}
      onSubmit={() => hold.mutate({ params: { id: card.id }, body: { amount: Number(amount) } })}
      sent={hold}
    >
      <Text className="code">{card.card_number}</Text>
      <MoneyField
        label={t('Amount')}
        description={t('It stays on the card and cannot be spent until it is released')}
        required
        data-autofocus
        value={amount}
        onText={setAmount}
      />
    </FormDialog>
  );
}

function AdjustCard({ card, onClose }: ActionProps) {
  const [amount, setAmount] = useState('');
  const [reason, setReason] = useState('');
  const adjust = useWrite('adjustGiftCard', written(t('The balance is corrected'), onClose));
  return (
    <FormDialog
      title={t('Correct the balance')}
      onClose={onClose}
      onSubmit={() => adjust.mutate({ params: { id: card.id }, body: { amount: Number(amount), reason } })}
      sent={adjust}
    >
      <Text className="code">{card.card_number}</Text>
      <MoneyField
        label={t('By|an amount')}
        description={t('Negative takes away')}
        signed
        required
        data-autofocus
        value={amount}
        onText={setAmount}
      />
      <TextField label={t('Reason')} required value={reason} onText={setReason} />
    </FormDialog>
  );
}

/** A card expires at the start of the day after its last one, in the store's time zone. */
function lastDayOf(expiresAt: string, timeZone: string): string {
  return dayIn(timeZone, Date.parse(expiresAt) - 1);
}

function ExpireCard({ card, onClose }: ActionProps) {
  const { timeZone } = useStore();
  const [until, setUntil] = useState(() => (card.expires_at ? lastDayOf(card.expires_at, timeZone) : ''));
  const change = useWrite('updateGiftCard', written(t('The expiry is changed'), onClose));
  return (
    <FormDialog
      title={t('Change the expiry')}
      onClose={onClose}
      onSubmit={() => change.mutate({ params: { id: card.id }, body: { gift_card: { expires_at: (until || null) as string } } })}
      sent={change}
    >
      <Text className="code">{card.card_number}</Text>
      <TextField label={t('Last day')} description={t('Empty: never')} type="date" data-autofocus value={until} onText={setUntil} />
    </FormDialog>
  );
}
