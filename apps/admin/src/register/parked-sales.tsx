import { Button, Group, Stack, Text } from '@mantine/core';
import type { Schemas } from '../api/gen/api.js';
import { useRead } from '../api/query.ts';
import { Amount } from '../parts/amount.tsx';
import { Section } from '../parts/page.tsx';
import { Shown } from '../parts/states.tsx';
import { Time } from '../parts/time.tsx';

const shownMax = 10;

export function ParkedSales({ onResume }: { onResume: (sale: Schemas['Sale']) => void }) {
  const parked = useRead('listSales', { query: { status: 'pending', per_page: shownMax } });
  return (
    <Section title="Parked sales">
      <Shown of={parked} rows={2}>
        {({ sales }) => {
          // The list also has completed sales whose delivery is open.
          const waiting = sales.filter(({ status }) => status === 'pending');
          if (waiting.length === 0) {
            return (
              <Text size="sm" c="dimmed">
                None
              </Text>
            );
          }
          return (
            <Stack gap="xs">
              {waiting.map((sale) => (
                <Group key={sale.id} justify="space-between" wrap="nowrap">
                  <div>
                    <Text size="sm">{sale.customer?.name ?? sale.receipt_number}</Text>
                    <Text size="xs" c="dimmed" component="div">
                      <Amount of={sale.total} /> · <Time at={sale.created_at} ago />
                    </Text>
                  </div>
                  <Button size="xs" variant="default" onClick={() => onResume(sale)} aria-label={`Resume ${sale.receipt_number}`}>
                    Resume
                  </Button>
                </Group>
              ))}
            </Stack>
          );
        }}
      </Shown>
    </Section>
  );
}
