import { Alert, Button, List } from '@mantine/core';
import type { Schemas } from '../api/gen/api.js';
import { numberText, t } from '../language/t.ts';

interface NotReceivedProps {
  of: Schemas['PurchaseOrder'];
  /** Quantities that were entered while the order was open, by line. */
  arrived: Record<number, number | string>;
  onSeen: () => void;
}

/** Names what was counted here while somebody else closed the order. */
export function NotReceived({ of: { line_items }, arrived, onSeen }: NotReceivedProps) {
  const left = line_items.filter(({ id }) => Number(arrived[id] ?? 0) > 0);
  if (left.length === 0) return null;
  return (
    <Alert color="yellow" role="alert" title={t('The order was closed meanwhile. This was counted here and is not received')}>
      <List size="sm">
        {left.map(({ id, product_name }) => (
          <List.Item key={id}>
            {numberText(Number(arrived[id]))} × {product_name}
          </List.Item>
        ))}
      </List>
      <Button mt="xs" size="xs" variant="default" onClick={onSeen}>
        {t('Seen')}
      </Button>
    </Alert>
  );
}
