import { Badge, Button, Group, HoverCard, List, Stack, Text, UnstyledButton } from '@mantine/core';
import type { Schemas } from '../api/gen/api.js';
import { counted, fromApi, numberText, t } from '../language/t.ts';
import type { Column } from '../parts/data-table.tsx';
import { Time } from '../parts/time.tsx';

type ApiKey = Schemas['ApiKey'];

function stateOf(key: ApiKey): 'revoked' | 'expired' | 'in force' {
  if (key.revoked_at) return 'revoked';
  return key.expires_at && Date.parse(key.expires_at) <= Date.now() ? 'expired' : 'in force';
}

export function keyColumns(onRevoke: (key: ApiKey) => void): Column<ApiKey>[] {
  return [
    { id: 'name', header: t('Name'), sortBy: ({ name }) => name.toLowerCase(), cell: (key) => <NameCell apiKey={key} /> },
    { id: 'scopes', header: t('Scopes used'), from: 'sm', cell: (key) => <ScopesCell apiKey={key} /> },
    {
      id: 'hour',
      header: t('Last hour'),
      align: 'right',
      from: 'sm',
      sortBy: (key) => key.requests_last_hour,
      cell: (key) => numberText(key.requests_last_hour),
    },
    {
      id: 'day',
      header: t('Last day'),
      align: 'right',
      from: 'md',
      sortBy: (key) => key.requests_last_day,
      cell: (key) => numberText(key.requests_last_day),
    },
    {
      id: 'limit',
      header: t('Limit a minute'),
      align: 'right',
      from: 'lg',
      sortBy: (key) => key.rate_limit,
      cell: (key) => <LimitCell apiKey={key} />,
    },
    {
      id: 'used',
      header: t('Last used'),
      from: 'sm',
      sortBy: (key) => key.last_used_at ?? '',
      cell: (key) => <Time at={key.last_used_at} ago />,
    },
    {
      id: 'expires',
      header: t('Expires'),
      from: 'lg',
      sortBy: (key) => key.expires_at ?? '9',
      cell: (key) => (key.expires_at ? <Time at={key.expires_at} /> : t('Never')),
    },
    {
      id: 'actions',
      header: t('Actions'),
      align: 'right',
      cell: (key) =>
        key.revoked_at ? (
          <Time at={key.revoked_at} ago />
        ) : (
          <Button size="xs" variant="default" onClick={() => onRevoke(key)} aria-label={t('Revoke {name}', { name: key.name })}>
            {t('Revoke')}
          </Button>
        ),
    },
  ];
}

function NameCell({ apiKey }: { apiKey: ApiKey }) {
  const state = stateOf(apiKey);
  return (
    <Stack gap={2}>
      <Group gap={6}>
        <Text fw={600} size="sm" miw={140}>
          {apiKey.name}
        </Text>
        {apiKey.test_mode && <Badge color="yellow">{t('Test Mode')}</Badge>}
        {state !== 'in force' && <Badge color={state === 'revoked' ? 'red' : 'gray'}>{fromApi(state)}</Badge>}
      </Group>
      <Text size="xs" c="dimmed" className="code">
        {apiKey.prefix}…{apiKey.last4}
      </Text>
      <Text size="xs" c="dimmed">
        {t('by {name}', { name: apiKey.created_by?.name })}
      </Text>
      <Text size="xs" c="dimmed" hiddenFrom="lg">
        {limitText(apiKey)}
      </Text>
      <Text size="xs" c="dimmed" hiddenFrom="sm">
        {t('{used} of {all} scopes used', { used: apiKey.scopes_used.length, all: apiKey.scopes.length })}
      </Text>
      <Text size="xs" c="dimmed" hiddenFrom="sm">
        {counted(apiKey.requests_last_day, '{count} request in a day,', '{count} requests in a day,')}{' '}
        {apiKey.last_used_at ? t('last|used') : t('never used')} {apiKey.last_used_at && <Time at={apiKey.last_used_at} ago />}
      </Text>
    </Stack>
  );
}

function limitText({ rate_limit, effective_limit }: ApiKey): string {
  const limit = t('{limit} a minute', { limit: numberText(rate_limit) });
  return effective_limit === rate_limit ? limit : `${limit}, ${t('now {effectiveLimit}', { effectiveLimit: numberText(effective_limit) })}`;
}

/** A key that completed no request lately is held to a lower limit until it completes one (docs/guides). */
function LimitCell({ apiKey: { rate_limit, effective_limit } }: { apiKey: ApiKey }) {
  return (
    <Stack gap={0} align="flex-end">
      <span>{numberText(rate_limit)}</span>
      {effective_limit !== rate_limit && (
        <Text size="xs" c="dimmed">
          {t('now {effectiveLimit}', { effectiveLimit: numberText(effective_limit) })}
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
        <UnstyledButton
          fz="sm"
          className="nowrap"
          aria-label={t('{used} of {all} scopes used: show them', { used: used.size, all: apiKey.scopes.length })}
        >
          {t('{some} of {all}', { some: used.size, all: apiKey.scopes.length })}
        </UnstyledButton>
      </HoverCard.Target>
      <HoverCard.Dropdown>
        <List size="sm">
          {apiKey.scopes.map((scope) => (
            <List.Item key={scope}>
              <span className="code">{scope}</span> {used.has(scope) ? t('used') : t('never used')}
            </List.Item>
          ))}
        </List>
      </HoverCard.Dropdown>
    </HoverCard>
  );
}
