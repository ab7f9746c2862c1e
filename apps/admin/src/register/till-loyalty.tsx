/** The points and tier of the customer at the till, and the rewards that they can redeem now. */

import { Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useRead } from '../api/query.ts';
import { useStore } from '../api/store.ts';
import { counted, t } from '../language/t.ts';
import { Confirm } from '../parts/confirm.tsx';
import { shownMoney } from '../parts/money.ts';
import type { Reward } from './till.ts';

interface TillLoyaltyProps {
  customerId: number;
  disabled: boolean;
  /** Its points are taken, and what it gives is given with this sale. */
  onRedeem: (reward: Reward) => void;
}

/** Another till may have taken points. */
const now = { staleTime: 0 };

export function TillLoyalty({ customerId, disabled, onRedeem }: TillLoyaltyProps) {
  const { currency } = useStore();
  const loyalty = useRead('getCustomerLoyalty', { params: { id: customerId } }, now).data?.loyalty;
  const rewards = useRead('listAvailableRewards', { query: { customer_id: customerId } }, now).data?.available_rewards ?? [];
  const [chosen, setChosen] = useState<Reward>();
  if (!loyalty) return null;
  return (
    <Stack gap="xs">
      <Text size="sm">
        {[counted(loyalty.loyalty_points, '{count} point', '{count} points'), loyalty.loyalty_tier].filter(Boolean).join(', ')}
      </Text>
      {rewards.map((reward) => (
        <Group key={reward.id} justify="space-between" wrap="nowrap">
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            {t('{name}: {givenBy} for {pointsRequired} points', {
              name: reward.name,
              givenBy: givenBy(reward, currency),
              pointsRequired: reward.points_required,
            })}
          </Text>
          <Button
            size="xs"
            variant="default"
            disabled={disabled}
            aria-label={t('Redeem {name}', { name: reward.name })}
            onClick={() => setChosen(reward)}
          >
            {t('Redeem')}
          </Button>
        </Group>
      ))}
      <Confirm
        opened={chosen !== undefined}
        title={t('Redeem {name}?', { name: chosen?.name })}
        action={t('Redeem')}
        onClose={() => setChosen(undefined)}
        onConfirm={() => {
          setChosen(undefined);
          onRedeem(chosen!);
        }}
      >
        {t('{pointsRequired} points are taken now, also if this sale is not completed.', { pointsRequired: chosen?.points_required })}
      </Confirm>
    </Stack>
  );
}

function givenBy(
  { reward_type, discount_amount, discount_percentage, store_credit_amount, product_name }: Reward,
  currency: string,
): string {
  if (reward_type === 'store_credit') return t('{amount} store credit', { amount: shownMoney(store_credit_amount, currency) });
  if (reward_type === 'free_product') return t('{product} free', { product: product_name ?? t('a product') });
  return Number(discount_amount)
    ? t('{amount} off', { amount: shownMoney(discount_amount, currency) })
    : t('{value} % off', { value: Number(discount_percentage) });
}
