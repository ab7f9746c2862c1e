import { Group, Pagination, Text } from '@mantine/core';
import type { Schemas } from '../api/gen/api.js';
import { numberText, t } from '../language/t.ts';

const controls = { first: t('First page'), previous: t('Previous page'), next: t('Next page'), last: t('Last page') };

/** The position of a page in the API's list, with links to the others. */
export function Paging({ of, onPage, label }: { of: Schemas['Pagination']; onPage: (page: number) => void; label: string }) {
  const first = of.total_count === 0 ? 0 : (of.current_page - 1) * of.per_page + 1;
  const last = Math.min(of.current_page * of.per_page, of.total_count);
  return (
    <Group justify="space-between" mt="sm" gap="xs">
      <Text size="sm" c="dimmed" aria-live="polite">
        {t('{first} to {last} of {totalCount}', {
          first: numberText(first),
          last: numberText(last),
          totalCount: numberText(of.total_count),
        })}
      </Text>
      {of.total_pages > 1 && (
        <Pagination
          total={of.total_pages}
          value={of.current_page}
          onChange={onPage}
          size="sm"
          siblings={1}
          boundaries={1}
          aria-label={t('Pages of {label}', { label })}
          getItemProps={(page) => ({ 'aria-label': t('Page {page}', { page }) })}
          getControlProps={(control) => ({ 'aria-label': controls[control] })}
        />
      )}
    </Group>
  );
}
