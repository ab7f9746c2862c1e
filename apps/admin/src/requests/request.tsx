/** One request, and everything it caused: audit entries, events, their deliveries. */

import { Badge, Grid, Group, Paper, Stack, Text } from '@mantine/core';
import { useParams } from 'react-router';
import type { Schemas } from '../api/gen/api.js';
import { useRead } from '../api/query.ts';
import { AuditEntryView } from '../audit/audit-entry.tsx';
import { counted, numberText, t } from '../language/t.ts';
import { LinkTo } from '../parts/link-to.tsx';
import { Page, Section } from '../parts/page.tsx';
import { Empty, Facts, Shown } from '../parts/states.tsx';
import { Time } from '../parts/time.tsx';
import { spoken } from '../parts/worded.ts';
import { outcomeText } from '../webhooks/outcome-text.ts';
import { StatusBadge } from './status-badge.tsx';

type Traced = Schemas['TracedRequest'];

export default function Request() {
  const id = useParams().id ?? '';
  const request = useRead('getRequest', { params: { request_id: id } });
  return (
    <Page title={t('Request')} about={<span className="code">{id}</span>} above={['/requests', t('Requests')]}>
      <Shown of={request}>{({ request: traced }) => <Trace of={traced!} />}</Shown>
    </Page>
  );
}

function Trace({ of }: { of: Traced }) {
  return (
    <Grid gap="md">
      <Grid.Col span={{ base: 12, md: 4 }}>
        <Section title={t('Answer')}>
          <RequestFacts of={of} />
        </Section>
      </Grid.Col>
      <Grid.Col span={{ base: 12, md: 8 }}>
        <Stack>
          <Section title={t('Changes ({count})', { count: of.audit_entry_count })}>
            {of.audit_entries.length === 0 ? (
              <Empty title={t('It changed nothing')} />
            ) : (
              <Stack>
                {of.audit_entries.map((entry) => (
                  <AuditEntryView key={entry.id} of={entry} />
                ))}
              </Stack>
            )}
          </Section>
          <Section title={t('Events ({count})', { count: of.event_count })}>
            {of.events.length === 0 ? <Empty title={t('It caused no event')} /> : <Events of={of.events} />}
          </Section>
        </Stack>
      </Grid.Col>
    </Grid>
  );
}

function RequestFacts({ of }: { of: Traced }) {
  return (
    <Facts
      of={[
        [t('Status'), <StatusBadge key="status" status={of.status} />],
        !!of.error_code && [t('Error code'), of.error_code],
        [t('Endpoint'), <span key="route" className="code">{`${of.method} ${of.route ?? t('(none)')}`}</span>],
        [t('By'), of.key ? t('key {name}', { name: of.key.name }) : of.user?.name],
        [t('Took'), `${numberText(of.duration_ms)} ms`],
        [t('Answered'), <Time key="at" at={of.created_at} seconds />],
        of.requests_with_id > 1 && [t('Requests with this id'), of.requests_with_id],
      ]}
    />
  );
}

function Events({ of }: { of: Schemas['RequestEvent'][] }) {
  return (
    <Stack gap="xs">
      {of.map((event) => (
        <Paper key={event.id} component="details" open withBorder p="sm">
          <summary>
            <Group component="span" display="inline-flex" gap="xs">
              <Text span size="sm" className="code">
                {event.event}
              </Text>
              <Badge color="gray">{t('number {sequence}', { sequence: event.sequence })}</Badge>
              <Text span size="sm" c="dimmed">
                {counted(event.deliveries.length, '{count} delivery', '{count} deliveries')}
              </Text>
            </Group>
          </summary>
          {event.deliveries.length === 0 ? (
            <Text size="sm" c="dimmed" mt="sm">
              {t('No receiver subscribed to it.')}
            </Text>
          ) : (
            <Stack gap="sm" mt="sm">
              {event.deliveries.map((delivery) => (
                <Delivery key={delivery.id} of={delivery} />
              ))}
            </Stack>
          )}
        </Paper>
      ))}
    </Stack>
  );
}

function Delivery({ of }: { of: Schemas['RequestDelivery'] }) {
  return (
    <div>
      <Group gap="xs">
        <LinkTo to={`/webhooks/${of.webhook_subscription_id}`} style={{ overflowWrap: 'anywhere' }}>
          {of.url}
        </LinkTo>
        <Badge color={of.state === 'delivered' || of.state === 'succeeded' ? 'green' : 'gray'}>{spoken(of.state)}</Badge>
        {of.manual && <Badge color="indigo">{t('sent again')}</Badge>}
      </Group>
      {of.attempts.map((attempt) => (
        <Text key={attempt.number} size="xs" c="dimmed">
          {t('Attempt {number}: {answer}, {durationMs} ms,', {
            number: attempt.number,
            answer: attempt.response_status || (attempt.outcome ? outcomeText(attempt.outcome) : t('no answer')),
            durationMs: attempt.duration_ms,
          })}{' '}
          <Time at={attempt.created_at} seconds />
        </Text>
      ))}
    </div>
  );
}
