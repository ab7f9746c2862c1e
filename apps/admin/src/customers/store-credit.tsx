import { Button, Group, Select, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useRead, useWrite } from '../api/query.ts';
import { useMay } from '../api/session.ts';
import { t } from '../language/t.ts';
import { Amount } from '../parts/amount.tsx';
import { FormDialog } from '../parts/form-dialog.tsx';
import { MoneyField } from '../parts/money-field.tsx';
import { Movements, movementsPerPage } from '../parts/movements.tsx';
import { Section } from '../parts/page.tsx';
import { Shown } from '../parts/states.tsx';
import { TextField } from '../parts/text-field.tsx';

export function StoreCredit({ customerId }: { customerId: number }) {
  const found = useRead('getStoreCredit', { params: { customer_id: customerId } });
  const [page, setPage] = useState(1);
  const query = { page, per_page: movementsPerPage };
  const moved = useRead('listStoreCreditTransactions', { params: { id: customerId }, query }, { keepPrevious: true });
  const mayMove = useMay('manager');
  const [moving, setMoving] = useState(false);
  const move = mayMove && (
    <Button size="xs" variant="default" onClick={() => setMoving(true)}>
      {t('Issue or take')}
    </Button>
  );
  return (
    <Section title={t('Store credit')} aside={move}>
      <Shown of={found} rows={3}>
        {({ store_credit: credit }) => (
          <Stack gap="sm">
            <Text fw={700} component="div">
              <Amount of={credit!.balance} />
            </Text>
            <Movements label={t('Movements of store credit')} of={moved} onPage={setPage} />
          </Stack>
        )}
      </Shown>
      {moving && <MoveCredit customerId={customerId} onClose={() => setMoving(false)} />}
    </Section>
  );
}

const kinds = [
  { value: 'issue', label: t('Issue|store credit') },
  { value: 'redeem', label: t('Take|store credit') },
] as const;

function MoveCredit({ customerId, onClose }: { customerId: number; onClose: () => void }) {
  const [kind, setKind] = useState<(typeof kinds)[number]['value']>('issue');
  const [amount, setAmount] = useState('');
  const [notes, setNotes] = useState('');
  const write = useWrite('moveStoreCredit', {
    changes: ['getStoreCredit', 'listStoreCreditTransactions', 'getCustomer'],
    done: t('Store credit is changed'),
    quiet: true,
    onDone: onClose,
  });
  const submit = () => {
    const store_credit = { amount, transaction_type: kind, ...(notes.trim() && { notes: notes.trim() }) };
    write.mutate({ params: { id: customerId }, body: { store_credit } });
  };
  return (
    <FormDialog title={t('Store credit')} onClose={onClose} onSubmit={submit} sent={write}>
      <Group grow align="flex-start">
        <Select label={t('Movement')} data={[...kinds]} value={kind} onChange={(value) => setKind((value ?? 'issue') as typeof kind)} />
        <MoneyField label={t('Amount')} required data-autofocus value={amount} onText={setAmount} />
      </Group>
      <TextField label={t('Notes')} value={notes} onText={setNotes} />
      {kind === 'redeem' && <Text size="sm">{t('Cash that you hand out for it is taken out of the drawer with “Cash in or out”.')}</Text>}
    </FormDialog>
  );
}
