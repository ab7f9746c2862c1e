/** What the clerk must know above the cart: codes that nothing has, the store out of reach, an answer that has not come. */

import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { useStore } from '../api/store.ts';
import { counted, t } from '../language/t.ts';
import { Leaving } from '../parts/leaving.tsx';
import { shownMoney } from '../parts/money.ts';
import type { Sold } from './cart.ts';
import { OwedRewards, ReadingNotice, SendingNotice } from './sending-notice.tsx';
import type { Choice, Redemption, Till, Told } from './till.ts';

interface TillNoticesProps {
  till: Till;
  /** The last look-up had no answer. */
  isCutOff: boolean;
  /** Without a product: none of them. */
  onChosen: (choice: Choice, product?: Sold) => void;
  onSeen: (of: Told, place: number) => void;
  attempts: number;
  onGiveUp: () => void;
  /** Asks again, or takes the sale for one that is not there. */
  onGoOn: (isThere: boolean) => void;
  /** Waits no longer for what is not sent. */
  onStop: () => void;
  onRedeem: (redemption: Redemption) => void;
}

export function TillNotices({ till, isCutOff, onChosen, onSeen, attempts, onGiveUp, onGoOn, onStop, onRedeem }: TillNoticesProps) {
  const { work, scans, choices, unknown, late, unsold, refused } = till;
  const sending = work?.kind === 'send' ? work.sending : undefined;
  const { currency } = useStore();
  const place = useRef<HTMLDivElement>(null);
  const said = choices.length + unknown.length + late.length + unsold.length + (refused ? 1 : 0);
  const before = useRef(said);
  useEffect(() => {
    // A long cart may have scrolled it away.
    if (said > before.current) place.current!.scrollIntoView({ block: 'nearest' });
    before.current = said;
  }, [said]);
  return (
    <Stack gap="xs" ref={place} className="till-notices">
      <Leaving
        when={sending !== undefined && !sending.isStopped}
        lost={t('The store has not answered yet: what was sent is asked for again on this page alone.')}
      />
      {isCutOff && (
        <Alert color="yellow" role="status" title={t('The store does not answer')}>
          {counted(
            scans.length,
            '{count} scan waits. It is asked again; nothing is lost.',
            '{count} scans wait. It is asked again; nothing is lost.',
          )}
          {work && !sending && work.kind !== 'discard' && (
            <Button mt="xs" variant="default" onClick={onStop}>
              {t('Do not wait')}
            </Button>
          )}
        </Alert>
      )}
      {(work?.kind === 'take' || work?.kind === 'redeem') && !isCutOff && <ReadingNotice key={work.id} onStop={onStop} />}
      {sending && <SendingNotice key={work!.id} id={work!.id} sending={sending} attempts={attempts} onGiveUp={onGiveUp} onGoOn={onGoOn} />}
      <OwedRewards till={till} onRedeem={onRedeem} />
      {refused && (
        <Alert color="red" role="alert">
          {refused}
        </Alert>
      )}
      {choices.map((choice, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the same code may be there twice.
        <Alert key={index} color="yellow" role="alert" title={severalText(choice)}>
          <Group gap="xs">
            {choice.products.map((product) => (
              <Button key={product.id} className="long-name" variant="default" onClick={() => onChosen(choice, product)}>
                {product.name}, {shownMoney(product.effective_price, currency)}
              </Button>
            ))}
            <Button variant="subtle" onClick={() => onChosen(choice)}>
              {t('None of them')}
            </Button>
          </Group>
        </Alert>
      ))}
      {[
        ...unknown.map((code, place) => ({ of: 'unknown' as const, place, said: t('No product has the code {code}', { code }) })),
        ...unsold.map((said, place) => ({ of: 'unsold' as const, place, said })),
        ...late.map((code, place) => ({
          of: 'late' as const,
          place,
          said: t('{code} was scanned while a payment was open: scan it again', { code }),
        })),
      ].map(({ of, place, said }) => (
        <Alert key={`${of} ${place}`} color="red" role="alert">
          <Group justify="space-between" wrap="nowrap">
            <Text size="sm">{said}</Text>
            {/* The second of a double click is not of the next one. */}
            <Button size="xs" variant="default" onClick={({ detail }) => detail < 2 && onSeen(of, place)}>
              {t('Seen')}
            </Button>
          </Group>
        </Alert>
      ))}
    </Stack>
  );
}

const severalText = ({ products, code }: Choice): string => t('{count} products have the code {code}', { count: products.length, code });
