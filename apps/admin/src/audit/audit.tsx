/** The audit trail: who changed what, searched by key and record. */

import { Group, Stack } from '@mantine/core';
import { useRead } from '../api/query.ts';
import { t } from '../language/t.ts';
import { FindRequest } from '../parts/find-request.tsx';
import { KeySelect } from '../parts/key-select.tsx';
import { Page, Section } from '../parts/page.tsx';
import { Paging } from '../parts/paging.tsx';
import { SearchSelect } from '../parts/search-select.tsx';
import { Empty, Shown } from '../parts/states.tsx';
import { TextField } from '../parts/text-field.tsx';
import { useListState } from '../parts/url-state.ts';
import { AuditEntryView } from './audit-entry.tsx';
import { kindText, recordKinds } from './records.ts';

const perPage = 20;
export default function Audit() {
  const { page, filters, setPage, setFilter, choice } = useListState(['key', 'type', 'id']);
  const entries = useRead(
    'listAuditEntries',
    {
      query: {
        page,
        per_page: perPage,
        ...(filters.key && { key_id: Number(filters.key) }),
        ...(filters.type && { resource_type: filters.type }),
        ...(filters.id && { resource_id: Number(filters.id) }),
      },
    },
    { keepPrevious: true },
  );
  return (
    <Page title={t('Audit trail')} about={t('Every change, with who made it and what it changed.')} actions={<FindRequest />}>
      <Section>
        <Group mb="sm" gap="sm" className="filters">
          <KeySelect {...choice('key')} />
          <SearchSelect
            aria-label={t('Kind of record')}
            placeholder={t('Any record')}
            clearable
            data={recordKinds.map((value) => ({ value, label: kindText(value) }))}
            {...choice('type')}
          />
          <TextField
            aria-label={t('Id of the record')}
            placeholder={t('Id')}
            w={120}
            inputMode="numeric"
            value={filters.id}
            onText={(text) => setFilter('id', text.replace(/\D/g, ''))}
          />
        </Group>
        <Shown of={entries}>
          {({ audit_entries, pagination }) =>
            audit_entries.length === 0 ? (
              <Empty title={t('No change matches')}>{t('Choose another key or record.')}</Empty>
            ) : (
              <Stack gap="sm">
                {audit_entries.map((entry) => (
                  <AuditEntryView key={entry.id} of={entry} linked />
                ))}
                {pagination && <Paging of={pagination} onPage={setPage} label={t('the audit trail')} />}
              </Stack>
            )
          }
        </Shown>
      </Section>
    </Page>
  );
}
