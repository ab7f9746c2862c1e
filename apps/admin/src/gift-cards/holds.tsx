import { Button, Group, Stack, Text } from '@mantine/core';
import { useRead, useWrite } from '../api/query.ts';
import { t } from '../language/t.ts';
import { Amount } from '../parts/amount.tsx';
import { Time } from '../parts/time.tsx';

/** What is held of a card, by whom; a manager releases it. */
export function Holds({ cardId, mayRelease }: { cardId: number; mayRelease: boolean }) {
  const { data } = useRead('listHolds', { params: { id: cardId } });
  const release = useWrite('releaseHold', {
    changes: ['listHolds', 'lookupGiftCard', 'listGiftCardTransactions'],
    done: t('The hold is released'),
  });
  if (!data || data.holds.length === 0) return null;
  return (
    <Stack gap="xs" role="list" aria-label={t('Holds')}>
      {data.holds.map(({ id, amount, user_name, created_at }) => (
        <Group key={id} justify="space-between" wrap="nowrap" role="listitem">
          <Text size="sm" component="div">
            <Amount of={amount} /> {t('held by {userName},', { userName: user_name ?? t('a program') })} <Time at={created_at} ago />
          </Text>
          {mayRelease && (
            <Button
              variant="default"
              loading={release.isPending}
              onClick={() => release.mutate({ params: { id: cardId, hold_id: id } })}
              aria-label={t('Release the hold of {amount}', { amount })}
            >
              {t('Release')}
            </Button>
          )}
        </Group>
      ))}
    </Stack>
  );
}
