/** Another customer turns out to be this one. */

import { Alert, Text } from '@mantine/core';
import { useState } from 'react';
import type { Schemas } from '../api/gen/api.js';
import { useWrite } from '../api/query.ts';
import { t } from '../language/t.ts';
import { CustomerSearch } from '../parts/customer-search.tsx';
import { FormDialog } from '../parts/form-dialog.tsx';

export function MergeCustomer({ customer, onClose }: { customer: Schemas['Customer']; onClose: () => void }) {
  const [other, setOther] = useState<{ id: number; name: string }>();
  const merge = useWrite('mergeCustomers', {
    changes: [
      ...(['getCustomer', 'listCustomers', 'listRecentSales', 'getCustomerLoyalty', 'listLoyaltyTransactions'] as const),
      ...(['getStoreCredit', 'listStoreCreditTransactions'] as const),
    ],
    quiet: true,
    done: t('The customers are merged'),
    onDone: onClose,
  });
  return (
    <FormDialog
      title={t('Merge another into {name}', { name: customer.name })}
      action={t('Merge')}
      onClose={onClose}
      onSubmit={() => merge.mutate({ params: { id: customer.id }, body: { customer_id: other!.id } })}
      sent={merge}
      isDirty={other !== undefined}
      disabled={other === undefined}
    >
      <Text size="sm">
        {t(
          'Sales, points, store credit and gift cards of the other one move here, with the contacts and notes that {name} lacks. What both have stays that of {name}: another loyalty card, address or note is not kept.',
          {
            name: customer.name,
          },
        )}
      </Text>
      <CustomerSearch customer={other} onChange={setOther} none={t('The customer to merge')} />
      {other && <Alert color="red">{t('{name} is then archived for good. This cannot be undone.', { name: other.name })}</Alert>}
    </FormDialog>
  );
}
