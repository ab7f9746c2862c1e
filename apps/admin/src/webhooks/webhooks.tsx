/** Settings, Developer API: the webhook subscriptions of the store, live. */

import { Group, Stack, Text } from '@mantine/core';
import { useMemo } from 'react';
import { useNavigate } from 'react-router';
import type { Schemas } from '../api/gen/api.js';
import { useRead } from '../api/query.ts';
import { counted, t } from '../language/t.ts';
import { type Column, ReadTable } from '../parts/data-table.tsx';
import { LinkTo } from '../parts/link-to.tsx';
import { Page, Section } from '../parts/page.tsx';
import { Empty } from '../parts/states.tsx';
import { Time } from '../parts/time.tsx';
import { LiveBadge } from './live-badge.tsx';
import { Notices } from './notices.tsx';
import { Failures, SubscriptionState } from './subscription-state.tsx';
import { SuccessLine } from './success-line.tsx';
import { useLive } from './use-live.ts';

type Subscription = Schemas['MonitoredSubscription'];

export default function Webhooks() {
  const live = useLive();
  const navigate = useNavigate();
  const monitor = useRead('listMonitor', {});
  const summary = useRead('summarizeDeliveries', {});
  const counted = summary.data?.delivery_summary;
  const columns = useMemo(() => columnsOf(counted), [counted]);
  return (
    <Page
      title={t('Webhooks')}
      about={t('Programs subscribe with their own key; the store sends them signed messages about what changes.')}
      actions={<LiveBadge state={live} />}
    >
      <Notices />
      <Section title={t('Subscriptions')}>
        <ReadTable
          label={t('Webhook subscriptions')}
          of={monitor}
          rows={(data) => data.webhook_subscriptions}
          columns={columns}
          onRow={({ id }) => navigate(`/webhooks/${id}`)}
          empty={
            <Empty title={t('No program has subscribed')}>
              {t('A key with the scope webhooks:manage makes subscriptions through the API.')}
            </Empty>
          }
        />
      </Section>
    </Page>
  );
}

function columnsOf(summary: Schemas['DeliverySummary'] | undefined): Column<Subscription>[] {
  const hoursOf = ({ id }: Subscription) => summary?.hours.filter((hour) => hour.webhook_subscription_id === id) ?? [];
  return [
    {
      id: 'url',
      header: t('Receiver'),
      cell: (one) => (
        <Stack gap={2}>
          <LinkTo to={`/webhooks/${one.id}`} fw={600} style={{ overflowWrap: 'anywhere' }}>
            {one.url}
          </LinkTo>
          <Text size="xs" c="dimmed">
            {one.api_key?.name} · {one.events.length === 1 ? one.events[0] : counted(one.events.length, '{count} event', '{count} events')}
          </Text>
          {summary && (
            <Group gap="md" hiddenFrom="sm" mt={2}>
              <Failures of={one} />
              <SuccessLine hours={hoursOf(one)} since={summary.since} />
            </Group>
          )}
        </Stack>
      ),
    },
    { id: 'state', header: t('State'), cell: (one) => <SubscriptionState of={one} /> },
    { id: 'failures', header: t('Failures'), from: 'sm', cell: (one) => <Failures of={one} /> },
    {
      id: 'day',
      header: t('Succeeded, 24 h'),
      from: 'sm',
      cell: (one) => (summary ? <SuccessLine hours={hoursOf(one)} since={summary.since} /> : '–'),
    },
    { id: 'last', header: t('Last sent'), from: 'md', cell: (one) => <Time at={one.last_triggered_at} ago /> },
  ];
}
