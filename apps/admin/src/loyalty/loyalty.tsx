/** What the loyalty programme gives: the tiers that customers reach, and the rewards that points buy. */

import { Badge } from '@mantine/core';
import { useMemo } from 'react';
import type { Schemas } from '../api/gen/api.js';
import { useRead } from '../api/query.ts';
import { numberText, t } from '../language/t.ts';
import { Amount } from '../parts/amount.tsx';
import type { Column } from '../parts/data-table.tsx';
import type { Field, Values } from '../parts/field-input.tsx';
import { Page } from '../parts/page.tsx';
import { Records } from '../parts/records.tsx';
import { spoken } from '../parts/worded.ts';

type Tier = Schemas['LoyaltyTier'];
type Reward = Schemas['LoyaltyReward'];

const tierColumns: Column<Tier>[] = [
  { id: 'name', header: t('Name'), cell: ({ name }) => <b>{name}</b> },
  { id: 'level', header: t('Level'), align: 'right', cell: ({ level }) => level },
  { id: 'spend', header: t('From a spend of'), align: 'right', from: 'sm', cell: (tier) => <Amount of={tier.minimum_lifetime_spend} /> },
  { id: 'visits', header: t('And visits'), align: 'right', from: 'sm', cell: ({ minimum_visits }) => minimum_visits },
  {
    id: 'discount',
    header: t('Discount'),
    align: 'right',
    from: 'md',
    cell: (tier) => `${numberText(Number(tier.discount_percentage))} %`,
  },
  { id: 'points', header: t('Points'), align: 'right', from: 'md', cell: (tier) => `× ${numberText(Number(tier.points_multiplier))}` },
];
const tierFields: Field[] = [
  { path: 'name', label: t('Name'), kind: 'text', required: true },
  { path: 'level', label: t('Level'), kind: 'number', required: true, description: t('A customer has the highest level that is reached') },
  { path: 'minimum_lifetime_spend', label: t('Reached with a spend of'), kind: 'money' },
  { path: 'minimum_visits', label: t('And with visits'), kind: 'number' },
  {
    path: 'discount_percentage',
    label: t('Discount in percent'),
    kind: 'decimal',
    description: t('For staff and other systems; the register takes nothing off by it'),
  },
  { path: 'points_multiplier', label: t('Points for each unit of money'), kind: 'decimal' },
  { path: 'benefits_description', label: t('Benefits'), kind: 'long' },
];
const tierOperations = { create: 'createLoyaltyTier', update: 'updateLoyaltyTier', remove: 'deleteLoyaltyTier' } as const;

const kinds = [
  { value: 'discount', label: t('Amount or percent off') },
  { value: 'free_product', label: t('A free product') },
  { value: 'store_credit', label: t('Store credit') },
];
const rewardColumns: Column<Reward>[] = [
  { id: 'name', header: t('Name'), cell: ({ name }) => <b>{name}</b> },
  { id: 'kind', header: t('Gives'), from: 'sm', cell: ({ reward_type }) => kinds.find(({ value }) => value === reward_type)?.label },
  { id: 'points', header: t('Points'), align: 'right', cell: ({ points_required }) => numberText(points_required) },
  {
    id: 'state',
    header: t('State'),
    from: 'sm',
    cell: ({ validity_status: state }) => <Badge color={state === 'active' ? 'green' : 'gray'}>{spoken(state)}</Badge>,
  },
];
const is = (type: string) => (values: Values) => values.reward_type === type;
/** The till takes an amount where there is one. */
const isWithoutAmount = (values: Values) => is('discount')(values) && Number(values.discount_amount) === 0;
const rewardFields: Field[] = [
  { path: 'name', label: t('Name'), kind: 'text', required: true },
  { path: 'reward_type', label: t('Gives'), kind: 'choice', choices: kinds },
  { path: 'points_required', label: t('Points it takes'), kind: 'number', required: true },
  { path: 'discount_amount', label: t('Amount off'), kind: 'money', when: is('discount') },
  { path: 'discount_percentage', label: t('Or percent off'), kind: 'decimal', when: isWithoutAmount },
  { path: 'store_credit_amount', label: t('Store credit'), kind: 'money', when: is('store_credit') },
];
const rewardOperations = { create: 'createLoyaltyReward', update: 'updateLoyaltyReward', remove: 'deleteLoyaltyReward' } as const;

export default function Loyalty() {
  const tiers = useRead('listLoyaltyTiers', { query: { all: true } });
  const rewards = useRead('listLoyaltyRewards', { query: { all: true } });
  const fields = useMemo(() => {
    const levels = (tiers.data?.loyalty_tiers ?? []).map(({ level, name }) => ({ value: String(level), label: name }));
    return [
      ...rewardFields,
      { path: 'product_id', label: t('Free product'), kind: 'product', when: is('free_product') },
      { path: 'minimum_tier_level', label: t('Only from the tier'), kind: 'record', choices: levels },
      { path: 'redemption_limit', label: t('How often for one customer'), kind: 'number', description: t('Empty: without limit') },
    ] satisfies Field[];
  }, [tiers.data]);
  return (
    <Page title={t('Loyalty programme')} about={t('Sales earn points; points buy rewards at the register.')}>
      <Records
        title={t('Tiers')}
        texts={{
          list: t('List of tiers'),
          create: t('New tier'),
          none: t('No tier yet'),
          saved: t('The tier is saved'),
          gone: t('The tier is deleted'),
        }}
        member="loyalty_tier"
        found={tiers}
        rowsOf={({ loyalty_tiers }) => loyalty_tiers}
        columns={tierColumns}
        fieldsOf={() => tierFields}
        operations={tierOperations}
        changes={['listLoyaltyTiers', 'getCustomerLoyalty']}
        removal={{ action: t('Delete'), about: t('Customers who have it fall to the tier below.') }}
        empty={t('A tier gives a discount or more points to those who buy much.')}
      />
      <Records
        title={t('Rewards')}
        texts={{
          list: t('List of rewards'),
          create: t('New reward'),
          none: t('No reward yet'),
          saved: t('The reward is saved'),
          gone: t('The reward is deleted'),
        }}
        member="loyalty_reward"
        found={rewards}
        rowsOf={({ loyalty_rewards }) => loyalty_rewards}
        columns={rewardColumns}
        fieldsOf={() => fields}
        initial={{ reward_type: 'discount' }}
        operations={rewardOperations}
        changes={['listLoyaltyRewards', 'listAvailableRewards']}
        removal={{ action: t('Delete'), about: t('Nobody can redeem it any more.') }}
        empty={t('A reward is what customers get for their points.')}
      />
    </Page>
  );
}
