import { Badge, Button, Group, HoverCard, List, Stack, Text, UnstyledButton } from '@mantine/core';
import type { Schemas } from '../api/gen/api.js';
import type { Column } from '../parts/data-table.tsx';
import { Time } from '../parts/time.tsx';

type ApiKey = Schemas['ApiKey'];

export function stateOf(key: ApiKey, now = Date.now()): 'revoked' | 'expired' | 'in force' {
  if (key.revoked_at) return 'revoked';
  return key.expires_at && Date.parse(key.expires_at) <= now ? 'expired' : 'in force';
}

export function keyColumns(onRevoke: (key: ApiKey) => void): Column<ApiKey>[] {
  return [
    { id: 'name', header: 'Name', sortBy: ({ name }) => name.toLowerCase(), cell: (key) => <NameCell apiKey={key} /> },
    { id: 'scopes', header: 'Scopes used', from: 'sm', cell: (key) => <ScopesCell apiKey={key} /> },
    {
      id: 'hour',
      header: 'Last hour',
      align: 'right',
      from: 'sm',
      sortBy: (key) => key.requests_last_hour,
      cell: (key) => count(key.requests_last_hour),
    },
    {
      id: 'day',
      header: 'Last day',
      align: 'right',
      from: 'md',
      sortBy: (key) => key.requests_last_day,
      cell: (key) => count(key.requests_last_day),
    },
    {
      id: 'limit',
      header: 'Limit a minute',
      align: 'right',
      from: 'lg',
      sortBy: (key) => key.rate_limit,
      cell: (key) => <LimitCell apiKey={key} />,
    },
    {
      id: 'used',
      header: 'Last used',
      from: 'sm',
      sortBy: (key) => key.last_used_at ?? '',
      cell: (key) => <Time at={key.last_used_at} ago />,
    },
    {
      id: 'expires',
      header: 'Expires',
      from: 'lg',
      sortBy: (key) => key.expires_at ?? '9',
      cell: (key) => (key.expires_at ? <Time at={key.expires_at} /> : 'Never'),
    },
    {
      id: 'actions',
      header: 'Actions',
      align: 'right',
      cell: (key) =>
        key.revoked_at ? (
          <Time at={key.revoked_at} ago />
        ) : (
          <Button size="xs" variant="default" onClick={() => onRevoke(key)} aria-label={`Revoke ${key.name}`}>
            Revoke
          </Button>
        ),
    },
  ];
}

const count = (n: number) => n.toLocaleString('en');

function NameCell({ apiKey }: { apiKey: ApiKey }) {
  const state = stateOf(apiKey);
  return (
    <Stack gap={2}>
      <Group gap={6}>
        <Text fw={600} size="sm" miw={140}>
          {apiKey.name}
        </Text>
        {apiKey.test_mode && <Badge color="yellow">Test Mode</Badge>}
        {state !== 'in force' && <Badge color={state === 'revoked' ? 'red' : 'gray'}>{state}</Badge>}
      </Group>
      <Text size="xs" c="dimmed" className="code">
        {apiKey.prefix}…{apiKey.last4}
      </Text>
      <Text size="xs" c="dimmed">
        by {apiKey.created_by?.name}
      </Text>
      <Text size="xs" c="dimmed" hiddenFrom="lg">
        {limitText(apiKey)}
      </Text>
      <Text size="xs" c="dimmed" hiddenFrom="sm">
        {apiKey.scopes_used.length} of {apiKey.scopes.length} scopes used
      </Text>
      <Text size="xs" c="dimmed" hiddenFrom="sm">
        {apiKey.requests_last_day === 1 ? '1 request' : `${count(apiKey.requests_last_day)} requests`} in a day,{' '}
        {apiKey.last_used_at ? 'last ' : 'never used'}
        {apiKey.last_used_at && <Time at={apiKey.last_used_at} ago />}
      </Text>
    </Stack>
  );
}

function limitText({ rate_limit, effective_limit }: ApiKey): string {
  return `${count(rate_limit)} a minute${effective_limit === rate_limit ? '' : `, now ${count(effective_limit)}`}`;
}

/** A key that completed no request lately is held to a lower limit until it completes one (docs/guides). */
function LimitCell({ apiKey: { rate_limit, effective_limit } }: { apiKey: ApiKey }) {
  return (
    <Stack gap={0} align="flex-end">
      <span>{count(rate_limit)}</span>
      {effective_limit !== rate_limit && (
        <Text size="xs" c="dimmed">
          now {count(effective_limit)}
        </Text>
      )}
    </Stack>
  );
}

/** Scopes that were granted and never used are candidates for a narrower key. */
function ScopesCell({ apiKey }: { apiKey: ApiKey }) {
  const used = new Set(apiKey.scopes_used);
  return (
    <HoverCard withinPortal position="bottom-start">
      <HoverCard.Target>
        <UnstyledButton fz="sm" className="nowrap" aria-label={`${used.size} of ${apiKey.scopes.length} scopes used: show them`}>
          {used.size} of {apiKey.scopes.length}
        </UnstyledButton>
      </HoverCard.Target>
      <HoverCard.Dropdown>
        <List size="sm">
          {apiKey.scopes.map((scope) => (
            <List.Item key={scope}>
              <span className="code">{scope}</span> {used.has(scope) ? 'used' : 'never used'}
            </List.Item>
          ))}
        </List>
      </HoverCard.Dropdown>
    </HoverCard>
  );
}
