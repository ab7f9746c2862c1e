/** Another customer turns out to be this one. */
import { Alert, Text } from '@mantine/core';
import { useState } from 'react';
import type { Schemas } from '../api/gen/api.js';
import { useWrite } from '../api/query.ts';
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
    done: 'The customers are merged',
    onDone: onClose,
  });
  return (
    <FormDialog
      title={`Merge another into ${customer.name}`}
      action="Merge"
      onClose={onClose}
      onSubmit={() => merge.mutate({ params: { id: customer.id }, body: { customer_id: other!.id } })}
      busy={merge.isPending}
      error={merge.error}
      isDirty={other !== undefined}
      disabled={other === undefined}
    >
      <Text size="sm">
        Sales, points, store credit and gift cards of the other one move here, with the contacts that {customer.name} lacks.
      </Text>
      <CustomerSearch customer={other} onChange={setOther} none="The customer to merge" />
      {other && <Alert color="red">{other.name} is then archived for good. This cannot be undone.</Alert>}
    </FormDialog>
  );
}
