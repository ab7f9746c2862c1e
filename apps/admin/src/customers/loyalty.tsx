/** A customer's points: what they are, what moved them, and their correction by managers. */

import { Button, Stack } from '@mantine/core';
import { useState } from 'react';
import type { Schemas } from '../api/gen/api.js';
import { useRead, useWrite } from '../api/query.ts';
import { useMay } from '../api/session.ts';
import { useStore } from '../api/store.ts';
import { counted, numberText, t } from '../language/t.ts';
import { FormDialog } from '../parts/form-dialog.tsx';
import { shownMoney } from '../parts/money.ts';
import { Movements, movementsPerPage } from '../parts/movements.tsx';
import { Section } from '../parts/page.tsx';
import { QuantityField } from '../parts/quantity-field.tsx';
import { Facts, Shown } from '../parts/states.tsx';
import { TextField } from '../parts/text-field.tsx';

export function Loyalty({ id }: { id: number }) {
  const { has, currency } = useStore();
  const found = useRead('getCustomerLoyalty', { params: { id } }, { enabled: has.loyalty });
  const [page, setPage] = useState(1);
  const query = { page, per_page: movementsPerPage };
  const moved = useRead('listLoyaltyTransactions', { params: { id }, query }, { enabled: has.loyalty, keepPrevious: true });
  const [correcting, setCorrecting] = useState(false);
  const mayCorrect = useMay('manager');
  if (!has.loyalty) return null;
  const correct = mayCorrect && (
    <Button variant="default" onClick={() => setCorrecting(true)}>
      {t('Correct')}
    </Button>
  );
  return (
    <Section title={t('Loyalty')} aside={correct}>
      <Stack gap="sm">
        <Shown of={found} rows={3}>
          {({ loyalty }) => {
            const { next_tier: next } = loyalty!;
            return (
              <Facts
                of={[
                  [t('Points'), numberText(loyalty!.loyalty_points)],
                  [t('Tier'), loyalty!.loyalty_tier ?? t('None')],
                  [t('Discount'), `${numberText(Number(loyalty!.discount_percentage))} %`],
                  !!next && [t('To the next tier'), missingOf(next, currency)],
                ]}
              />
            );
          }}
        </Shown>
        <Movements label={t('Movements of points')} of={moved} onPage={setPage} />
      </Stack>
      {correcting && <CorrectPoints id={id} onClose={() => setCorrecting(false)} />}
    </Section>
  );
}

function missingOf({ name, spend_remaining, visits_remaining }: Schemas['NextLoyaltyTier'], currency: string): string {
  const values = { name, amount: shownMoney(spend_remaining, currency) };
  return counted(visits_remaining, '{name}: {amount} and {count} visit', '{name}: {amount} and {count} visits', values);
}

function CorrectPoints({ id, onClose }: { id: number; onClose: () => void }) {
  const [points, setPoints] = useState<number | string>('');
  const [reason, setReason] = useState('');
  const adjust = useWrite('adjustPoints', {
    changes: ['getCustomerLoyalty', 'listLoyaltyTransactions'],
    quiet: true,
    done: t('The points are corrected'),
    onDone: onClose,
  });
  return (
    <FormDialog
      title={t('Correct the points')}
      onClose={onClose}
      onSubmit={() => adjust.mutate({ params: { id }, body: { points: Number(points), reason } })}
      sent={adjust}
    >
      <QuantityField
        label={t('By|an amount')}
        description={t('Negative takes away')}
        required
        signed
        whole
        data-autofocus
        value={points}
        onQuantity={setPoints}
      />
      <TextField label={t('Reason')} required value={reason} onText={setReason} />
    </FormDialog>
  );
}
