/** The clerk's own cash drawer: opened with a float, closed with a count. What is expected is said after the count (D271). */

import { Button, Group, SegmentedControl, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useEffect, useRef, useState } from 'react';
import type { Schemas } from '../api/gen/api.js';
import { useRead, useWrite } from '../api/query.ts';
import { useSession } from '../api/session.ts';
import { t } from '../language/t.ts';
import { Amount } from '../parts/amount.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { FormDialog } from '../parts/form-dialog.tsx';
import { MoneyField } from '../parts/money-field.tsx';
import { Section } from '../parts/page.tsx';
import { Facts, Shown } from '../parts/states.tsx';
import { TextField } from '../parts/text-field.tsx';
import { Time } from '../parts/time.tsx';

type Drawer = Schemas['CashDrawerSession'];

/** More drawers are not open at once. */
const openMax = 100;

export function DrawerSection({ disabled }: { disabled: boolean }) {
  const own = useSession()?.user.id;
  const open = useRead('listCashDrawerSessions', { query: { status: 'open', per_page: openMax } });
  // The drawer is held, as the list may say that it is closed before its dialog has an answer.
  const [asking, setAsking] = useState<{ kind: 'float' } | { kind: 'count' | 'cash'; drawer: Drawer }>();
  const close = () => setAsking(undefined);
  const mine = open.data?.cash_drawer_sessions.find(({ clerk }) => clerk?.id === own);
  const before = useRef(mine);
  useEffect(() => {
    if (!open.data) return;
    // Cash that is taken from now on would be looked for in it.
    const { current } = before;
    if (current?.clerk?.id === own && !mine && asking?.kind !== 'count' && !closedHere.has(current!.id))
      notifications.show({
        message: t('Your drawer was closed: cash of your sales is counted nowhere'),
        color: 'yellow',
        autoClose: false,
      });
    before.current = mine;
  }, [open.data, mine, own, asking]);
  return (
    <Section title={t('Cash drawer')}>
      <Shown of={open} rows={1}>
        {() => (
          <Group justify="space-between" gap="xs">
            <Text size="sm" component="div">
              {mine ? (
                <>
                  {t('Open since')} <Time at={mine.opened_at} />
                  {t(', with|cash of a drawer')} <Amount of={mine.opening_float} />
                </>
              ) : (
                t('Closed: cash of your sales is counted nowhere')
              )}
            </Text>
            <Group gap="xs">
              {mine && (
                <Button variant="default" disabled={disabled} onClick={() => setAsking({ kind: 'cash', drawer: mine })}>
                  {t('Cash in or out')}
                </Button>
              )}
              <Button
                variant="default"
                disabled={disabled}
                onClick={() => setAsking(mine ? { kind: 'count', drawer: mine } : { kind: 'float' })}
              >
                {mine ? t('Count and close') : t('Open|verb')}
              </Button>
            </Group>
          </Group>
        )}
      </Shown>
      {asking?.kind === 'float' && <OpenDrawer onClose={close} />}
      {asking?.kind === 'cash' && <MoveCash drawer={asking.drawer} onClose={close} />}
      {asking?.kind === 'count' && <CountDrawer drawer={asking.drawer} onClose={close} />}
    </Section>
  );
}

/** Who closes a drawer in this tab needs no word of it. */
const closedHere = new Set<number>();

const changes = ['listCashDrawerSessions', 'getDayReport'] as const;

function OpenDrawer({ onClose }: { onClose: () => void }) {
  const usual = useRead('getSettings', {}).data?.settings?.opening_float ?? '';
  const [typed, setTyped] = useState<string>();
  const float = typed ?? usual;
  const open = useWrite('openCashDrawerSession', { changes, done: t('The drawer is open'), quiet: true, onDone: onClose });
  return (
    <FormDialog
      title={t('Open your cash drawer')}
      action={t('Open|verb')}
      onClose={onClose}
      onSubmit={() => open.mutate({ body: { opening_float: float } })}
      sent={open}
    >
      <MoneyField
        label={t('Cash in it now')}
        required
        data-autofocus
        value={float}
        onFocus={(event) => event.currentTarget.select()}
        onText={setTyped}
      />
    </FormDialog>
  );
}

const ways = [
  { value: 'out', label: t('Taken out') },
  { value: 'in', label: t('Put in') },
];

function MoveCash({ drawer, onClose }: { drawer: Drawer; onClose: () => void }) {
  const [way, setWay] = useState('out');
  const [amount, setAmount] = useState('');
  const [reason, setReason] = useState('');
  const move = useWrite('moveDrawerCash', { changes, done: t('The cash is booked'), quiet: true, onDone: onClose });
  const submit = () =>
    move.mutate({ params: { id: drawer.id }, body: { amount: way === 'out' ? -Number(amount) : Number(amount), reason } });
  return (
    <FormDialog title={t('Cash in or out')} action={t('Book')} onClose={onClose} onSubmit={submit} sent={move} isShownOnce>
      <SegmentedControl aria-label={t('Way of the cash')} fullWidth data={ways} value={way} onChange={setWay} />
      <MoneyField label={t('Amount')} required data-autofocus value={amount} onText={setAmount} />
      <TextField label={t('Reason')} placeholder={t('Milk, change from the bank')} required value={reason} onText={setReason} />
    </FormDialog>
  );
}

/** Asks what is in it; once it is closed, shows what should have been. */
function CountDrawer({ drawer, onClose }: { drawer: Drawer; onClose: () => void }) {
  const [counted, setCounted] = useState('');
  const [closed, setClosed] = useState<Drawer>();
  const isOwn = useSession()?.user.id === drawer.clerk?.id;
  const close = useWrite('closeCashDrawerSession', {
    changes,
    quiet: true,
    onDone: ({ cash_drawer_session }, _input, isShown) => {
      // Nothing else tells the clerk of it who has left the page.
      if (!isShown)
        notifications.show({ title: t('The drawer is closed'), message: <Difference of={cash_drawer_session} />, autoClose: false });
      closedHere.add(cash_drawer_session.id);
      setClosed(cash_drawer_session);
    },
  });
  if (closed) return <Counted of={closed} onClose={onClose} />;
  return (
    <FormDialog
      title={isOwn ? t('Count and close your drawer') : t('Count and close the drawer of {name}', { name: drawer.clerk?.name })}
      action={t('Close the drawer')}
      onClose={onClose}
      onSubmit={() => close.mutate({ params: { id: drawer.id }, body: { counted } })}
      sent={close}
      isShownOnce
    >
      <Text size="sm">{t('Count all the cash, the float too. What should be there is shown afterwards.')}</Text>
      <MoneyField label={t('Counted')} required data-autofocus value={counted} onText={setCounted} />
    </FormDialog>
  );
}

function Difference({ of }: { of: Drawer }) {
  const difference = Number(of.difference);
  if (difference === 0) return t('The count is right');
  return (
    <>
      <Amount of={String(of.difference).replace('-', '')} /> {difference < 0 ? t('is missing') : t('too much')}
    </>
  );
}

function Counted({ of, onClose }: { of: Drawer; onClose: () => void }) {
  return (
    <Dialog title={t('The drawer is closed')} onClose={onClose}>
      <Stack>
        <Facts
          of={[
            [t('Opened with'), <Amount key="float" of={of.opening_float} />],
            [t('Expected'), <Amount key="expected" of={of.expected} />],
            [t('Counted'), <Amount key="counted" of={of.counted} />],
          ]}
        />
        <Text fw={600} role="status">
          <Difference of={of} />
        </Text>
        <Group justify="flex-end">
          <Button onClick={onClose}>{t('Done')}</Button>
        </Group>
      </Stack>
    </Dialog>
  );
}

/** Every drawer that is open: a manager closes one that its clerk has left. */
export function OpenDrawers() {
  const open = useRead('listCashDrawerSessions', { query: { status: 'open', per_page: openMax } }, { staleTime: 0 });
  const [asked, setAsked] = useState<Drawer>();
  return (
    <>
      {open.data?.cash_drawer_sessions.map((drawer) => (
        <Group key={drawer.id} justify="space-between" gap="xs">
          <Text size="sm" component="div">
            {drawer.clerk?.name}: {t('Open since')} <Time at={drawer.opened_at} />
          </Text>
          <Button
            size="xs"
            variant="default"
            className="not-printed"
            onClick={() => setAsked(drawer)}
            aria-label={t('Count and close the drawer of {name}', { name: drawer.clerk?.name })}
          >
            {t('Count and close')}
          </Button>
        </Group>
      ))}
      {asked && <CountDrawer drawer={asked} onClose={() => setAsked(undefined)} />}
    </>
  );
}
