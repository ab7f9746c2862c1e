import { Group, Stack, Text } from '@mantine/core';
import { useRead } from '../api/query.ts';
import { counted, t } from '../language/t.ts';
import { LinkTo } from '../parts/link-to.tsx';
import { Section } from '../parts/page.tsx';
import { Empty, Shown } from '../parts/states.tsx';
import { StockBadge } from '../products/stock-badge.tsx';

const shownMax = 7;

/** What should be ordered, the emptiest first. */
export function LowStock() {
  const low = useRead('listLowStock', {});
  return (
    <Section
      title={t('Low stock')}
      fill
      aside={
        low.data && (
          <Text size="sm" c="dimmed">
            {counted(low.data.total_count, '{count} product', '{count} products')}
          </Text>
        )
      }
    >
      <Shown of={low}>
        {({ products }) =>
          products.length === 0 ? (
            <Empty title={t('Nothing is low')}>{t('Products at or below their threshold appear here.')}</Empty>
          ) : (
            <Stack gap={8}>
              {[...products]
                .sort((a, b) => a.current_stock - b.current_stock)
                .slice(0, shownMax)
                .map((product) => (
                  <Group key={product.id} justify="space-between" wrap="nowrap">
                    <LinkTo to={`/products/${product.id}`} truncate>
                      {product.name}
                    </LinkTo>
                    <StockBadge of={product} />
                  </Group>
                ))}
            </Stack>
          )
        }
      </Shown>
    </Section>
  );
}
