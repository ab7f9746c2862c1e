/** Gift cards: looked up by number, issued by managers. */
import { Badge, Button, Group, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { Schemas } from '../api/gen/api.js';
import { useRead, useWrite } from '../api/query.ts';
import { useMay } from '../api/session.ts';
import { Amount } from '../parts/amount.tsx';
import { FormDialog } from '../parts/form-dialog.tsx';
import { MoneyField } from '../parts/money-field.tsx';
import { Movements, movementsPerPage } from '../parts/movements.tsx';
import { Page, Section } from '../parts/page.tsx';
import { Empty, Facts, Shown } from '../parts/states.tsx';
import { Time } from '../parts/time.tsx';
import { CardActions } from './card-actions.tsx';
import { Holds } from './holds.tsx';

export default function GiftCards() {
  // Not in the address: the number is money, and a browser keeps addresses.
  const [number, setNumber] = useState('');
  const [typed, setTyped] = useState('');
  const [issuing, setIssuing] = useState(false);
  const mayIssue = useMay('manager');
  const card = useRead('lookupGiftCard', { params: { card_number: number } }, { enabled: number !== '' });
  const find = (event: FormEvent) => {
    event.preventDefault();
    setNumber(typed.trim());
  };
  return (
    <Page title="Gift cards" actions={mayIssue && <Button onClick={() => setIssuing(true)}>Issue a card</Button>}>
      <Section>
        <form onSubmit={find}>
          <Group align="flex-end" wrap="nowrap" gap="xs">
            <TextInput
              label="Card number"
              placeholder="Scan or type"
              value={typed}
              onChange={(event) => setTyped(event.currentTarget.value)}
              maw={320}
              style={{ flex: 1 }}
            />
            <Button type="submit" variant="default">
              Look up
            </Button>
          </Group>
        </form>
      </Section>
      <Section>
        {number === '' ? (
          <Empty title="Look a card up by its number">Its balance and state appear here.</Empty>
        ) : (
          <Shown of={card} rows={4}>
            {({ gift_card }) => (
              <Stack>
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
          'Number',
          <span key="number" className="code">
            {of.card_number}
          </span>,
        ],
        [
          'State',
          <Badge key="state" color={of.active ? 'green' : 'gray'}>
            {of.status}
          </Badge>,
        ],
        [
          'Available',
          <b key="available">
            <Amount of={of.available_balance} />
          </b>,
        ],
        ['Balance', <Amount key="balance" of={of.balance} />],
        ['Issued with', <Amount key="original" of={of.original_amount} />],
        ['For', of.recipient_name ?? of.customer_name],
        ['Issued', <Time key="issued" at={of.issued_at} />],
        ['Expires', of.expires_at ? <Time key="expires" at={of.expires_at} /> : 'Never'],
      ]}
    />
  );
}

function CardMovements({ cardId }: { cardId: number }) {
  const [page, setPage] = useState(1);
  const query = { page, per_page: movementsPerPage };
  const found = useRead('listGiftCardTransactions', { params: { id: cardId }, query }, { keepPrevious: true });
  return <Movements label="Movements of the card" of={found} onPage={setPage} />;
}

function IssueCard({ onClose, onIssued }: { onClose: () => void; onIssued: (number: string) => void }) {
  const [amount, setAmount] = useState('');
  const [name, setName] = useState('');
  const issue = useWrite('createGiftCard', {
    quiet: true,
    changes: ['lookupGiftCard', 'listGiftCardTransactions'],
    done: 'The card is issued',
    onDone: ({ gift_card }) => {
      onIssued(gift_card!.card_number);
      onClose();
    },
  });
  const submit = () =>
    issue.mutate({ body: { gift_card: { amount: Number(amount), ...(name.trim() && { recipient_name: name.trim() }) } } });
  return (
    <FormDialog title="Issue a gift card" onClose={onClose} onSubmit={submit} busy={issue.isPending} error={issue.error} action="Issue">
      <MoneyField label="Amount" required data-autofocus value={amount} onText={setAmount} />
      <TextInput label="For" description="Name of the recipient" value={name} onChange={(event) => setName(event.currentTarget.value)} />
    </FormDialog>
  );
}
