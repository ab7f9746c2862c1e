/** One change: who made it, and each field before and after, side by side. */
import { Anchor, Badge, Group, Paper, Table, Text } from '@mantine/core';
import { Link } from 'react-router';
import type { Schemas } from '../api/gen/api.js';
import { Time } from '../parts/time.tsx';

type Entry = Schemas['AuditEntry'];

export function AuditEntryView({ of, linked = false }: { of: Entry; linked?: boolean }) {
  return (
    <Paper p="sm">
      <Group justify="space-between" gap="xs" mb="xs">
        <Group gap="xs">
          <Badge color="indigo">{of.action}</Badge>
          <Text size="sm" fw={600}>
            {of.resource_type} {of.resource_id}
          </Text>
          <Text size="sm" c="dimmed">
            by {actorName(of)}
          </Text>
        </Group>
        <Text size="sm" c="dimmed" component="div">
          <Time at={of.created_at} seconds />
        </Text>
      </Group>
      <Changes label={`Before and after of change ${of.id}`} before={of.before as Values} after={of.after as Values} />
      {linked && (
        <Anchor component={Link} to={`/requests/${encodeURIComponent(of.request_id)}`} size="xs" className="code">
          Request {of.request_id}
        </Anchor>
      )}
    </Paper>
  );
}

export function actorName({ actor }: Entry): string {
  if (actor?.key) return `key ${actor.key.name}${actor.user ? ` of ${actor.user.name}` : ''}`;
  return actor?.user?.name ?? 'the system';
}

type Values = Record<string, unknown> | null;

function Changes({ label, before, after }: { label: string; before: Values; after: Values }) {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  if (names.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        No fields are recorded for this action.
      </Text>
    );
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
    <section className="table-scroll" aria-label={label} tabIndex={0}>
      <Table verticalSpacing={4} highlightOnHover={false} layout="fixed" miw={420}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th w="28%">Field</Table.Th>
            <Table.Th>Before</Table.Th>
            <Table.Th>After</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {names.map((name) => {
            const [was, is] = [shown(before?.[name]), shown(after?.[name])];
            return (
              <Table.Tr key={name}>
                <Table.Td className="code" fz="xs">
                  {name}
                </Table.Td>
                <Table.Td className={was !== is && was !== '' ? 'code diff-removed' : 'code'} fz="xs">
                  {was}
                </Table.Td>
                <Table.Td className={was !== is && is !== '' ? 'code diff-added' : 'code'} fz="xs">
                  {is}
                </Table.Td>
              </Table.Tr>
            );
          })}
        </Table.Tbody>
      </Table>
    </section>
  );
}

function shown(value: unknown): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
