import { Group, Pagination, Text } from '@mantine/core';
import type { Schemas } from '../api/gen/api.js';

/** The position of a page in the API's list, with links to the others. */
export function Paging({ of, onPage, label }: { of: Schemas['Pagination']; onPage: (page: number) => void; label: string }) {
  const first = of.total_count === 0 ? 0 : (of.current_page - 1) * of.per_page + 1;
  const last = Math.min(of.current_page * of.per_page, of.total_count);
  return (
    <Group justify="space-between" mt="sm" gap="xs">
      <Text size="sm" c="dimmed" aria-live="polite">
        {first.toLocaleString('en')} to {last.toLocaleString('en')} of {of.total_count.toLocaleString('en')}
      </Text>
      {of.total_pages > 1 && (
        <Pagination
          total={of.total_pages}
          value={of.current_page}
          onChange={onPage}
          size="sm"
          siblings={1}
          boundaries={1}
          aria-label={`Pages of ${label}`}
          getItemProps={(page) => ({ 'aria-label': `Page ${page}` })}
          getControlProps={(control) => ({ 'aria-label': `${control} page` })}
        />
      )}
    </Group>
  );
}
