import { Button, Group, Stack } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import type { Schemas } from '../api/gen/api.js';
import { useWrite } from '../api/query.ts';
import { useMay } from '../api/session.ts';
import { counted, numberText, t } from '../language/t.ts';
import { Confirm } from '../parts/confirm.tsx';
import { TextField } from '../parts/text-field.tsx';
import { RevealSecret } from './reveal-secret.tsx';

/** Events of one call at most. */
const replayMax = 10_000;

/** What staff can do with a subscription; what the role may not is left out. */
export function SubscriptionActions({ of }: { of: Schemas['MonitoredSubscription'] }) {
  const isAdmin = useMay('admin');
  const [secret, setSecret] = useState<'reveal' | 'rotate'>();
  return (
    <Stack gap="sm" align="stretch">
      {isAdmin && (
        <>
          <Reset of={of} />
          <Group grow preventGrowOverflow={false} gap="xs">
            <Button variant="default" onClick={() => setSecret('reveal')}>
              {t('Reveal secret')}
            </Button>
            <Button variant="default" onClick={() => setSecret('rotate')}>
              {t('Rotate secret')}
            </Button>
          </Group>
        </>
      )}
      <Replay id={of.id} />
      {secret && <RevealSecret id={of.id} url={of.url} kind={secret} onClose={() => setSecret(undefined)} />}
    </Stack>
  );
}

function Reset({ of }: { of: Schemas['MonitoredSubscription'] }) {
  const [asked, setAsked] = useState(false);
  const reset = useWrite('resetSubscription', {
    changes: ['listMonitor', 'getMonitor'],
    done: t('Failures are reset, and the subscription is enabled'),
    onDone: () => setAsked(false),
    quiet: true,
  });
  return (
    <>
      <Button variant={of.disabled_at ? 'filled' : 'default'} onClick={() => setAsked(true)}>
        {t('Reset failures & re-enable')}
      </Button>
      <Confirm
        opened={asked}
        title={t('Reset failures and re-enable?')}
        action={t('Reset')}
        sent={reset}
        onConfirm={() => reset.mutate({ params: { id: of.id } })}
        onClose={() => setAsked(false)}
      >
        {t('The failure count starts again at 0, and events are sent from now on. What was missed meanwhile can be sent with Replay.')}
      </Confirm>
    </>
  );
}

function Replay({ id }: { id: number }) {
  const [after, setAfter] = useState('');
  const replay = useWrite('replayMonitored', {
    changes: ['getMonitor'],
    done: ({ replayed }) =>
      replayed === 0
        ? t('There was no event to send again')
        : counted(replayed, '{count} event is on its way again', '{count} events are on their way again'),
    onDone: ({ replayed, to_sequence }) => {
      if (replayed < replayMax || to_sequence === null) return;
      setAfter(String(to_sequence));
      const message = t('That was up to number {to}: press Replay once more for what came after it', { to: to_sequence });
      notifications.show({ message, color: 'yellow', autoClose: false });
    },
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        replay.mutate({ params: { id }, body: { after_seq: Number(after) } });
      }}
    >
      <Group align="flex-end" gap="xs" wrap="nowrap">
        <TextField
          type="number"
          inputMode="numeric"
          label={t('Replay events after number')}
          description={t('0 is every event of 30 days, the oldest {count} first', { count: numberText(replayMax) })}
          min={0}
          required
          withAsterisk={false}
          value={after}
          onText={setAfter}
          style={{ flex: 1 }}
        />
        <Button type="submit" variant="default" loading={replay.isPending}>
          {t('Replay')}
        </Button>
      </Group>
    </form>
  );
}
