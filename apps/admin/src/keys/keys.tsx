/** Settings, Developer API: the store's keys. */

import { Badge, Button, Group, Switch, Text } from '@mantine/core';
import { useMemo, useState } from 'react';
import type { Schemas } from '../api/gen/api.js';
import { useRead } from '../api/query.ts';
import { t } from '../language/t.ts';
import { DataTable } from '../parts/data-table.tsx';
import { Page, Section } from '../parts/page.tsx';
import { Empty, Shown } from '../parts/states.tsx';
import { keyColumns } from './key-columns.tsx';
import { NewKey } from './new-key.tsx';
import { RevokeKey } from './revoke-key.tsx';

type ApiKey = Schemas['ApiKey'];

export default function Keys() {
  const keys = useRead('listApiKeys', {});
  const [creating, setCreating] = useState(false);
  const [revoking, setRevoking] = useState<ApiKey>();
  const [withRevoked, setWithRevoked] = useState(false);
  const columns = useMemo(() => keyColumns(setRevoking), []);
  const create = <Button onClick={() => setCreating(true)}>{t('Create a key')}</Button>;
  return (
    <Page
      title={t('API keys')}
      about={t("Keys let other programs use this store's developer API. Each one can do only what its scopes grant.")}
      actions={create}
    >
      <Section>
        <Shown of={keys}>
          {({ api_keys }) => {
            const revoked = api_keys.filter(({ revoked_at }) => revoked_at !== null).length;
            return (
              <>
                <Group justify="space-between" mb="xs">
                  <Group gap="xs">
                    <Text size="sm" c="dimmed">
                      {t('{count} in force', { count: api_keys.length - revoked })}
                    </Text>
                    <Badge color="gray">{t('{count} revoked', { count: revoked })}</Badge>
                  </Group>
                  <Switch
                    label={t('Show revoked keys')}
                    checked={withRevoked}
                    onChange={(event) => setWithRevoked(event.currentTarget.checked)}
                  />
                </Group>
                <DataTable
                  label={t('API keys')}
                  columns={columns}
                  rows={withRevoked ? api_keys : api_keys.filter(({ revoked_at }) => revoked_at === null)}
                  rowId={({ id }) => id}
                  empty={<Empty title={t('No key is in force')}>{t('Create one for each program that should use the API.')}</Empty>}
                />
              </>
            );
          }}
        </Shown>
      </Section>
      {creating && <NewKey onClose={() => setCreating(false)} />}
      <RevokeKey apiKey={revoking} onClose={() => setRevoking(undefined)} />
    </Page>
  );
}
