/** Who works here: staff users with their roles; admins add, change and deactivate them. */
import { Badge, Button, Group, Stack, Text } from '@mantine/core';
import { useMemo, useState } from 'react';
import type { Schemas } from '../api/gen/api.js';
import { useRead } from '../api/query.ts';
import { NeedsRole } from '../layout/needs-role.tsx';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { Page, Section } from '../parts/page.tsx';
import { Empty, Shown } from '../parts/states.tsx';
import { Time } from '../parts/time.tsx';
import { StaffForm } from './staff-form.tsx';

type StaffUser = Schemas['StaffUser'];

export default function Staff() {
  return (
    <NeedsRole least="admin">
      <StaffPage />
    </NeedsRole>
  );
}

function StaffPage() {
  const found = useRead('listStaffUsers', {});
  const [edited, setEdited] = useState<StaffUser | 'new'>();
  const columns = useMemo(() => columnsOf(setEdited), []);
  return (
    <Page
      title="Staff"
      about="Clerks sell and look things up, managers also change goods and orders, admins do everything."
      actions={<Button onClick={() => setEdited('new')}>Add a person</Button>}
    >
      <Section>
        <Shown of={found}>
          {({ staff_users }) => (
            <DataTable
              label="Staff"
              columns={columns}
              rows={staff_users}
              rowId={({ id }) => id}
              empty={<Empty title="Nobody works here yet" />}
            />
          )}
        </Shown>
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
      header: 'Name',
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
      header: 'Role',
      sortBy: ({ role }) => role,
      cell: (user) => (
        <Group gap={6}>
          <Badge color={roleColors[user.role]}>{user.role}</Badge>
          {!user.active && <Badge color="red">inactive</Badge>}
          {user.invited_until && <Badge color="yellow">invited</Badge>}
          {user.second_factor && <Badge color="green">codes</Badge>}
        </Group>
      ),
    },
    { id: 'costs', header: 'Sees costs', from: 'sm', cell: ({ financial_data }) => (financial_data ? 'Yes' : 'No') },
    { id: 'since', header: 'Since', from: 'sm', cell: ({ created_at }) => <Time at={created_at} /> },
    {
      id: 'actions',
      header: 'Actions',
      align: 'right',
      cell: (user) => (
        <Button size="xs" variant="default" onClick={() => onChange(user)} aria-label={`Change ${user.name}`}>
          Change
        </Button>
      ),
    },
  ];
}
