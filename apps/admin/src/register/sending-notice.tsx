/** What was sent and has no answer: asked again until the clerk asks no more, who then says what is there. */

import { Alert, Button, Group, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { isForgotten } from '../api/idempotency-key.ts';
import { useRead } from '../api/query.ts';
import { counted, t } from '../language/t.ts';
import { isTooOld } from './carry-out.ts';
import { owedTo } from './owed.ts';
import type { Redemption, Sending, Till } from './till.ts';

interface SendingNoticeProps {
  /** Its Idempotency-Key. */
  id: string;
  sending: Sending;
  attempts: number;
  onGiveUp: () => void;
  /** Asks again, or takes it for what never arrived. */
  onGoOn: (isThere: boolean) => void;
}

/** Of what is read before anything is sent. */
export function ReadingNotice({ onStop }: { onStop: () => void }) {
  const isLate = useIsLate();
  if (!isLate) return null;
  return (
    <Alert color="yellow" role="status" title={t('The store does not answer')}>
      <Button variant="default" onClick={onStop}>
        {t('Do not wait')}
      </Button>
    </Alert>
  );
}

function useIsLate(): boolean {
  const [isLate, setIsLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsLate(true), lateMs);
    return () => clearTimeout(timer);
  }, []);
  return isLate;
}

/** After so many attempts the clerk may go on without the answer. */
const attemptsMin = 3;
/** So long nothing is said of an answer that is waited for. */
const lateMs = 4_000;
const underSales = {
  stop: t('Stop asking, and look it up under Sales'),
  look: t('Look it up under Sales. The cart stays as it is until you say what is there.'),
  isNot: t('It is not under Sales'),
};
const texts = {
  park: { ...underSales, mayBe: t('Do not ring this sale again: it may be parked') },
  pay: { ...underSales, mayBe: t('Do not ring this sale again: it may be paid') },
  discard: {
    mayBe: t('Do not ring this sale again: it may be discarded'),
    stop: t('Stop asking, and look at the parked sales'),
    look: t('Look whether it is among the parked sales still.'),
    isNot: t('It is parked still'),
  },
  redeem: {
    mayBe: t('Do not redeem this again: the points may be taken'),
    stop: t('Stop asking, and look at the points'),
    look: t('Ask again: if the points are taken already, no more are taken, and the reward comes into this sale.'),
    isNot: t('Go on without the reward'),
  },
};

const oldSale = {
  look: t('It was sent more than a day ago, and cannot be asked for again. If it is under Sales, go on here and clear the cart.'),
  goOn: t('Go on'),
};
const tooOld = {
  park: oldSale,
  pay: oldSale,
  redeem: { look: t('It was sent more than a day ago, and cannot be asked for again.'), goOn: texts.redeem.isNot },
};

export function SendingNotice({ id, sending, attempts, onGiveUp, onGoOn }: SendingNoticeProps) {
  const { kind, isStopped, redeemed } = sending;
  const { mayBe, stop, look, isNot } = texts[kind];
  const old = isTooOld(id, sending) && kind !== 'discard' ? tooOld[kind] : undefined;
  const isLate = useIsLate();
  const [isStopping, setIsStopping] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each time that it is asked.
  useEffect(() => setIsStopping(false), [isStopped]);
  if (!isStopped && attempts === 0 && !isLate) return null;
  return (
    <Alert color="yellow" role="alert" title={mayBe}>
      {isStopped ? (
        <>
          {redeemed && <PointsNow of={redeemed} />}
          <Text size="sm">{old ? old.look : look}</Text>
          <Group gap="xs" mt="xs">
            {!old && (
              <Button className="long-name" variant="default" onClick={() => onGoOn(true)}>
                {t('Ask again: it counts once')}
              </Button>
            )}
            <Button className="long-name" variant="subtle" onClick={() => onGoOn(false)}>
              {old ? old.goOn : isNot}
            </Button>
          </Group>
        </>
      ) : (
        <>
          <Text size="sm">
            {attempts === 0
              ? t('The store has not answered yet. It is waited for.')
              : t("The store's answer was lost. It is asked again until it answers, and it counts once.")}
          </Text>
          {attempts >= attemptsMin && (
            <Button
              className="long-name"
              mt="xs"
              variant="default"
              // What is asked now may be answered yet.
              loading={isStopping}
              onClick={() => {
                setIsStopping(true);
                onGiveUp();
              }}
            >
              {stop}
            </Button>
          )}
        </>
      )}
    </Alert>
  );
}

interface OwedRewardsProps {
  till: Till;
  onRedeem: (redemption: Redemption) => void;
}

/** Rewards of this customer that the clerk went on without. */
export function OwedRewards({ till, onRedeem }: OwedRewardsProps) {
  if (till.work) return null;
  return owedTo(till).map((one) => (
    <Alert key={one.id} color="yellow" role="alert" title={t('The points for {name} may be taken', { name: one.reward.name })}>
      <PointsNow of={one} />
      <Text size="sm">{isForgotten(one.id) ? tooOld.redeem.look : texts.redeem.look}</Text>
      {!isForgotten(one.id) && (
        <Button mt="xs" variant="default" onClick={() => onRedeem(one)}>
          {t('Ask again: it counts once')}
        </Button>
      )}
    </Alert>
  ));
}

/** Nothing is said until the store has answered now. */
function PointsNow({ of: { customer, reward } }: { of: Pick<Redemption, 'customer' | 'reward'> }) {
  const { data, isFetching, isError } = useRead('getCustomerLoyalty', { params: { id: customer.id } }, { staleTime: 0 });
  const points = data?.loyalty?.loyalty_points;
  if (points === undefined || isFetching || isError) return null;
  const costs = counted(reward.points_required, '{name} costs {count} point.', '{name} costs {count} points.', { name: reward.name });
  const has = counted(points, '{name} has {count} point now.', '{name} has {count} points now.', { name: customer.name });
  return <Text size="sm">{`${costs} ${has}`}</Text>;
}
