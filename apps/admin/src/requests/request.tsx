/** One request, and everything it caused: audit entries, events, their deliveries. */
import { Accordion, Anchor, Badge, Grid, Group, Stack, Text } from '@mantine/core';
import { Link, useParams } from 'react-router';
import type { Schemas } from '../api/gen/api.js';
import { useRead } from '../api/query.ts';
import { AuditEntryView } from '../audit/audit-entry.tsx';
import { NeedsRole } from '../layout/needs-role.tsx';
import { Page, Section } from '../parts/page.tsx';
import { Empty, Facts, Shown } from '../parts/states.tsx';
import { Time } from '../parts/time.tsx';
import { StatusBadge } from './status-badge.tsx';

type Traced = Schemas['TracedRequest'];

export default function Request() {
  return (
    <NeedsRole least="manager">
      <RequestPage />
    </NeedsRole>
  );
}

function RequestPage() {
  const id = useParams().id ?? '';
  const request = useRead('getRequest', { params: { request_id: id } });
  return (
    <Page title="Request" about={<span className="code">{id}</span>} above={['/requests', 'Requests']}>
      <Shown of={request}>{({ request: traced }) => <Trace of={traced!} />}</Shown>
    </Page>
  );
}

function Trace({ of }: { of: Traced }) {
  return (
    <Grid gap="md">
      <Grid.Col span={{ base: 12, md: 4 }}>
        <Section title="Answer">
          <RequestFacts of={of} />
        </Section>
      </Grid.Col>
      <Grid.Col span={{ base: 12, md: 8 }}>
        <Stack>
          <Section title={`Changes (${of.audit_entry_count})`}>
            {of.audit_entries.length === 0 ? (
              <Empty title="It changed nothing" />
            ) : (
              <Stack>
                {of.audit_entries.map((entry) => (
                  <AuditEntryView key={entry.id} of={entry} />
                ))}
              </Stack>
            )}
          </Section>
          <Section title={`Events (${of.event_count})`}>
            {of.events.length === 0 ? <Empty title="It caused no event" /> : <Events of={of.events} />}
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
        ['Status', <StatusBadge key="status" status={of.status} />],
        ...(of.error_code ? [['Error code', of.error_code] as [string, string]] : []),
        ['Endpoint', <span key="route" className="code">{`${of.method} ${of.route ?? '(none)'}`}</span>],
        ['By', of.key ? `key ${of.key.name}` : of.user?.name],
        ['Took', `${of.duration_ms.toLocaleString('en')} ms`],
        ['Answered', <Time key="at" at={of.created_at} seconds />],
        ...(of.requests_with_id > 1 ? [['Requests with this id', String(of.requests_with_id)] as [string, string]] : []),
      ]}
    />
  );
}

function Events({ of }: { of: Schemas['RequestEvent'][] }) {
  return (
    <Accordion multiple variant="contained" defaultValue={of.map(({ id }) => id)} order={3}>
      {of.map((event) => (
        <Accordion.Item key={event.id} value={event.id}>
          <Accordion.Control>
            <Group gap="xs">
              <Text size="sm" className="code">
                {event.event}
              </Text>
              <Badge color="gray">number {event.sequence}</Badge>
              <Text size="sm" c="dimmed">
                {event.deliveries.length === 1 ? '1 delivery' : `${event.deliveries.length} deliveries`}
              </Text>
            </Group>
          </Accordion.Control>
          <Accordion.Panel>
            {event.deliveries.length === 0 ? (
              <Text size="sm" c="dimmed">
                No receiver subscribed to it.
              </Text>
            ) : (
              <Stack gap="sm">
                {event.deliveries.map((delivery) => (
                  <Delivery key={delivery.id} of={delivery} />
                ))}
              </Stack>
            )}
          </Accordion.Panel>
        </Accordion.Item>
      ))}
    </Accordion>
  );
}

function Delivery({ of }: { of: Schemas['RequestDelivery'] }) {
  return (
    <div>
      <Group gap="xs">
        <Anchor component={Link} to={`/webhooks/${of.webhook_subscription_id}`} size="sm" style={{ overflowWrap: 'anywhere' }}>
          {of.url}
        </Anchor>
        <Badge color={of.state === 'delivered' || of.state === 'succeeded' ? 'green' : 'gray'}>{of.state}</Badge>
        {of.manual && <Badge color="indigo">sent again</Badge>}
      </Group>
      {of.attempts.map((attempt) => (
        <Text key={attempt.number} size="xs" c="dimmed">
          Attempt {attempt.number}: {attempt.response_status === 0 ? (attempt.outcome ?? 'no answer') : attempt.response_status},{' '}
          {attempt.duration_ms} ms, <Time at={attempt.created_at} seconds />
        </Text>
      ))}
    </div>
  );
}
