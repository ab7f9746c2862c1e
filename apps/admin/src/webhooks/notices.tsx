import { Alert, List, Text } from '@mantine/core';
import { useRead } from '../api/query.ts';
import { t } from '../language/t.ts';
import { LinkTo } from '../parts/link-to.tsx';
import { Time } from '../parts/time.tsx';

const shownMax = 5;
const dayMs = 86_400_000;
/** Those that mean that a subscription is, or is about to be, disabled. */
const urgent = new Set(['failing_60', 'failing_80', 'disabled', 'secret_unreadable']);

/** What went wrong in the last day and is not mended: the last urgent notice of each subscription that still fails. */
export function Notices() {
  const { data } = useRead('listNotices', {});
  const { data: monitor } = useRead('listMonitor', {});
  const urgentOnes = (data?.webhook_notices ?? []).filter(
    ({ kind, created_at }) => urgent.has(kind) && Date.parse(created_at) > Date.now() - dayMs,
  );
  const newest = (monitor?.webhook_subscriptions ?? [])
    .filter(({ failure_count, disabled_at }) => failure_count > 0 || disabled_at !== null)
    .flatMap(({ id }) => urgentOnes.find(({ webhook_subscription_id }) => webhook_subscription_id === id) ?? []);
  if (newest.length === 0) return null;
  const disabled = newest.some(({ kind }) => kind === 'disabled');
  return (
    <Alert
      color={disabled ? 'red' : 'yellow'}
      title={disabled ? t('A subscription was disabled') : t('A subscription may be disabled soon')}
      role="status"
    >
      <List size="sm" spacing={4} listStyleType="none">
        {newest.slice(0, shownMax).map((notice) => (
          <List.Item key={notice.id}>
            <LinkTo to={`/webhooks/${notice.webhook_subscription_id}`} underline="always">
              {notice.url}
            </LinkTo>{' '}
            <Text span size="sm">
              {notice.message}, <Time at={notice.created_at} ago />
            </Text>
          </List.Item>
        ))}
      </List>
    </Alert>
  );
}
