/** One change: who made it, and each field before and after, side by side. */

import { Badge, Group, Paper, Text } from '@mantine/core';
import type { Schemas } from '../api/gen/api.js';
import { t } from '../language/t.ts';
import { LinkTo } from '../parts/link-to.tsx';
import { Time } from '../parts/time.tsx';
import { Changes } from './changes.tsx';
import { recordName, recordPath } from './records.ts';

/** What the services do by themselves, such as expiring a gift card, has no request. */
const ofNoRequest = 'system';

type Entry = Schemas['AuditEntry'];

interface AuditEntryViewProps {
  of: Entry;
  /** Shows the way to the request that made the change, and to all other changes of the record. */
  linked?: boolean;
}

export function AuditEntryView({ of, linked = false }: AuditEntryViewProps) {
  const path = recordPath(of);
  const name = recordName(of);
  return (
    <Paper p="sm" className="section inner">
      <Group justify="space-between" gap="xs" mb="xs">
        <Group gap="xs">
          <Badge color="indigo" className="code">
            {of.action}
          </Badge>
          {path ? (
            <LinkTo to={path} fw={600}>
              {name}
            </LinkTo>
          ) : (
            <Text size="sm" fw={600}>
              {name}
            </Text>
          )}
          <Text size="sm" c="dimmed">
            {t('by {name}', { name: actorName(of) })}
          </Text>
        </Group>
        <Text size="sm" c="dimmed" component="div">
          <Time at={of.created_at} seconds />
        </Text>
      </Group>
      <Changes label={t('Before and after of change {id}', { id: of.id })} before={of.before} after={of.after} />
      {linked && (
        <Group gap="md" mt={6}>
          {of.request_id !== ofNoRequest && (
            <LinkTo to={`/requests/${encodeURIComponent(of.request_id)}`} size="xs">
              {t('Request|a noun')} <span className="code">{of.request_id}</span>
            </LinkTo>
          )}
          <LinkTo to={`/audit?type=${of.resource_type}&id=${of.resource_id}`} size="xs">
            {t('All changes of {name}', { name })}
          </LinkTo>
        </Group>
      )}
    </Paper>
  );
}

function actorName({ actor }: Entry): string {
  if (!actor?.key) return actor?.user?.name ?? t('the system');
  const { name } = actor.key;
  return actor.user ? t('key {name} of {user}', { name, user: actor.user.name }) : t('key {name}', { name });
}
