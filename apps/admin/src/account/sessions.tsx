/** Where one is signed in; each session but this one can be ended. */

import { Badge, Button, Group } from '@mantine/core';
import type { Schemas } from '../api/gen/api.js';
import { useRead, useWrite } from '../api/query.ts';
import { t } from '../language/t.ts';
import { type Column, ReadTable } from '../parts/data-table.tsx';
import { Section } from '../parts/page.tsx';
import { Time } from '../parts/time.tsx';
import { deviceName } from './device-name.ts';

export function Sessions() {
  const found = useRead('listStaffSessions', {});
  const end = useWrite('endStaffSession', { changes: ['listStaffSessions'], done: t('The session is ended') });
  const endOthers = useWrite('endOtherStaffSessions', { changes: ['listStaffSessions'], done: t('All other sessions are ended') });
  const columns: Column<Schemas['StaffSession']>[] = [
    {
      id: 'device',
      header: t('Device'),
      cell: ({ device, current }) => (
        <Group gap={6}>
          <span title={device}>{deviceName(device)}</span>
          {current && <Badge color="green">{t('this one')}</Badge>}
        </Group>
      ),
    },
    { id: 'address', header: t('Address'), from: 'sm', cell: ({ address }) => address },
    { id: 'began', header: t('Signed in'), from: 'sm', cell: ({ created_at }) => <Time at={created_at} /> },
    { id: 'used', header: t('Last used'), cell: ({ last_used_at }) => <Time at={last_used_at} /> },
    {
      id: 'actions',
      header: t('Actions'),
      align: 'right',
      cell: ({ id, device, current }) =>
        !current && (
          <Button
            size="xs"
            variant="default"
            onClick={() => end.mutate({ params: { id } })}
            aria-label={t('End the session of {deviceName}', { deviceName: deviceName(device) })}
          >
            {t('End')}
          </Button>
        ),
    },
  ];
  const all = (
    <Button size="xs" variant="default" loading={endOthers.isPending} onClick={() => endOthers.mutate({})}>
      {t('End all others')}
    </Button>
  );
  return (
    <Section title={t('Where you are signed in')} aside={all}>
      <ReadTable label={t('Sessions')} of={found} rows={(data) => data.staff_sessions} columns={columns} />
    </Section>
  );
}
