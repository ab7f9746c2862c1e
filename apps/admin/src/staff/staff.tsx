/** Who works here: staff users with their roles; admins add, change and deactivate them. */

import { Badge, Button, Group, Stack, Text } from '@mantine/core';
import { useMemo, useState } from 'react';
import type { Schemas } from '../api/gen/api.js';
import { useRead } from '../api/query.ts';
import { t } from '../language/t.ts';
import { type Column, ReadTable } from '../parts/data-table.tsx';
import { Page, Section } from '../parts/page.tsx';
import { Empty } from '../parts/states.tsx';
import { Time } from '../parts/time.tsx';
import { spoken } from '../parts/worded.ts';
import { StaffForm } from './staff-form.tsx';

type StaffUser = Schemas['StaffUser'];

export default function Staff() {
  const found = useRead('listStaffUsers', {});
  const [edited, setEdited] = useState<StaffUser | 'new'>();
  const columns = useMemo(() => columnsOf(setEdited), []);
  return (
    <Page
      title={t('Staff')}
      about={t('Clerks sell and look things up, managers also change goods and orders, admins do everything.')}
      actions={<Button onClick={() => setEdited('new')}>{t('Add a person')}</Button>}
    >
      <Section>
        <ReadTable
          label={t('Staff')}
          of={found}
          rows={(data) => data.staff_users}
          columns={columns}
          empty={<Empty title={t('Nobody works here yet')} />}
        />
      </Section>
      {edited && <StaffForm user={edited === 'new' ? undefined : edited} onClose={() => setEdited(undefined)} />}
    </Page>
  );
}

const roleColors: Record<StaffUser['role'], string> = { clerk: 'gray', manager: 'blue', admin: 'indigo' };

function columnsOf(onChange: (user: StaffUser) => void): Column<StaffUser>[] {
  return [
    {
      id: 'name',
      header: t('Name'),
      sortBy: ({ name }) => name.toLowerCase(),
      cell: (user) => (
        <Stack gap={0}>
          <Text size="sm" fw={600}>
            {user.name}
          </Text>
          <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {user.email}
          </Text>
        </Stack>
      ),
    },
    {
      id: 'role',
      header: t('Role'),
      sortBy: ({ role }) => role,
      cell: (user) => (
        <Group gap={6}>
          <Badge color={roleColors[user.role]}>{spoken(user.role)}</Badge>
          {!user.active && <Badge color="red">{t('inactive')}</Badge>}
          {user.invited_until && <Badge color="yellow">{t('invited')}</Badge>}
          {user.second_factor && <Badge color="green">{t('codes')}</Badge>}
        </Group>
      ),
    },
    { id: 'costs', header: t('Sees costs'), from: 'sm', cell: ({ financial_data }) => (financial_data ? t('Yes') : t('No')) },
    { id: 'since', header: t('Since'), from: 'sm', cell: ({ created_at }) => <Time at={created_at} /> },
    {
      id: 'actions',
      header: t('Actions'),
      align: 'right',
      cell: (user) => (
        <Button size="xs" variant="default" onClick={() => onChange(user)} aria-label={t('Change {name}', { name: user.name })}>
          {t('Change')}
        </Button>
      ),
    },
  ];
}
