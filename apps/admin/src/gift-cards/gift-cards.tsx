/** Gift cards: looked up by number, issued by managers. */

import { Badge, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { type FormEvent, useRef, useState } from 'react';
import type { Schemas } from '../api/gen/api.js';
import { useRead, useWrite } from '../api/query.ts';
import { useMay, useOwn } from '../api/session.ts';
import { t } from '../language/t.ts';
import { Amount } from '../parts/amount.tsx';
import { FormDialog } from '../parts/form-dialog.tsx';
import { MoneyField } from '../parts/money-field.tsx';
import { Movements, movementsPerPage } from '../parts/movements.tsx';
import { Page, Section } from '../parts/page.tsx';
import { takesScans, useScans } from '../parts/scanner.ts';
import { Empty, Facts, Shown } from '../parts/states.tsx';
import { TextField } from '../parts/text-field.tsx';
import { Time } from '../parts/time.tsx';
import { spoken } from '../parts/worded.ts';
import { CardActions } from './card-actions.tsx';
import { Holds } from './holds.tsx';

export default function GiftCards() {
  // Not in the address: the number is money, and a browser keeps addresses.
  const [number, setNumber] = useState('');
  const [typed, setTyped] = useState('');
  const [issuing, setIssuing] = useState(false);
  const mayIssue = useMay('manager');
  const card = useRead('lookupGiftCard', { params: { card_number: number } }, { enabled: number !== '', staleTime: 0 });
  const field = useRef<HTMLInputElement>(null);
  const look = (text: string) => {
    if (text === number) void card.refetch();
    setTyped(text);
    setNumber(text);
  };
  // The next card is scanned where the last one left the focus, such as on a button.
  useScans((code, whole) => {
    if (document.querySelector('[role=dialog]') === null) return look(whole ?? code);
    notifications.show({ message: t('{code} was scanned; this field takes no codes', { code }), color: 'yellow', autoClose: false });
  }, true);
  const find = (event: FormEvent) => {
    event.preventDefault();
    look(typed.trim());
    // Another scan replaces it.
    field.current!.select();
  };
  return (
    <Page title={t('Gift cards')} actions={mayIssue && <Button onClick={() => setIssuing(true)}>{t('Issue a card')}</Button>}>
      <Section>
        <form onSubmit={find}>
          <Group align="flex-end" wrap="nowrap" gap="xs">
            <TextInput
              ref={field}
              label={t('Card number')}
              placeholder={t('Scan or type')}
              value={typed}
              {...takesScans}
              onChange={(event) => setTyped(event.currentTarget.value)}
              maw={320}
              style={{ flex: 1 }}
            />
            <Button type="submit" variant="default">
              {t('Look up')}
            </Button>
          </Group>
        </form>
      </Section>
      <Section>
        {number === '' ? (
          <Empty title={t('Look a card up by its number')}>{t('Its balance and state appear here.')}</Empty>
        ) : (
          <Shown of={card} rows={4}>
            {({ gift_card }) => (
              // What was asked of one card, and may be owed, is not asked of the next.
              <Stack key={gift_card!.id}>
                <CardFacts of={gift_card!} />
                {mayIssue && <CardActions card={gift_card!} />}
                <Holds cardId={gift_card!.id} mayRelease={mayIssue} />
                <CardMovements cardId={gift_card!.id} />
              </Stack>
            )}
          </Shown>
        )}
      </Section>
      {issuing && (
        <IssueCard
          onClose={() => setIssuing(false)}
          onIssued={(issued) => {
            setTyped(issued);
            setNumber(issued);
          }}
        />
      )}
    </Page>
  );
}

function CardFacts({ of }: { of: Schemas['GiftCard'] }) {
  return (
    <Facts
      of={[
        [
          t('Number'),
          <span key="number" className="code">
            {of.card_number}
          </span>,
        ],
        [
          t('State'),
          <Badge key="state" color={of.active ? 'green' : 'gray'}>
            {spoken(of.status)}
          </Badge>,
        ],
        [
          t('Available'),
          <b key="available">
            <Amount of={of.available_balance} />
          </b>,
        ],
        [t('Balance'), <Amount key="balance" of={of.balance} />],
        [t('Issued with'), <Amount key="original" of={of.original_amount} />],
        [t('For|a person'), of.recipient_name ?? of.customer_name],
        [t('Issued'), <Time key="issued" at={of.issued_at} />],
        [t('Expires'), of.expires_at ? <Time key="expires" at={of.expires_at} /> : t('Never')],
      ]}
    />
  );
}

function CardMovements({ cardId }: { cardId: number }) {
  const [page, setPage] = useState(1);
  const query = { page, per_page: movementsPerPage };
  const found = useRead('listGiftCardTransactions', { params: { id: cardId }, query }, { keepPrevious: true });
  return <Movements label={t('Movements of the card')} of={found} onPage={setPage} />;
}

function IssueCard({ onClose, onIssued }: { onClose: () => void; onIssued: (number: string) => void }) {
  const issue = useWrite('createGiftCard', {
    quiet: true,
    kept: useOwn('card'),
    isShownOnce: true,
    changes: ['lookupGiftCard', 'listGiftCardTransactions'],
    done: t('The card is issued'),
    onDone: ({ gift_card }) => {
      onIssued(gift_card!.card_number);
      onClose();
    },
  });
  const { owed } = issue;
  const sent = owed?.body.gift_card;
  const [amount, setAmount] = useState(String(sent?.amount ?? ''));
  const [name, setName] = useState(sent?.recipient_name ?? '');
  const submit = () =>
    issue.mutate(owed ?? { body: { gift_card: { amount: Number(amount), ...(name.trim() && { recipient_name: name.trim() }) } } });
  return (
    <FormDialog title={t('Issue a gift card')} onClose={onClose} onSubmit={submit} sent={issue} action={t('Issue')} isShownOnce>
      <MoneyField label={t('Amount')} required data-autofocus value={amount} onText={setAmount} />
      <TextField label={t('For|a person')} description={t('Name of the recipient')} value={name} onText={setName} />
      <Text size="sm">{t('What is paid for it is no sale: put cash for it into the drawer with “Cash in or out”.')}</Text>
    </FormDialog>
  );
}
