/** The number of a gift card that pays, and what the card has for this payment. */

import { useEffect, useState } from 'react';
import { useRead } from '../api/query.ts';
import { useStore } from '../api/store.ts';
import { t } from '../language/t.ts';
import { shownMoney } from '../parts/money.ts';
import { takesScans } from '../parts/scanner.ts';
import { TextField } from '../parts/text-field.tsx';
import { spoken } from '../parts/worded.ts';

const numberMin = 4;
/** The read that a payment waits for. */
export const lookUp = 'lookupGiftCard';

interface GiftCardFieldProps {
  'data-autofocus': true | undefined;
  number: string;
  onChange: (number: string) => void;
  /** What is left for this payment of what the card has. */
  availableOf: (balance: number) => string;
  /** With what is left. */
  onFound: (available: string) => void;
}

export function GiftCardField({ number, onChange, availableOf, onFound, ...autofocus }: GiftCardFieldProps) {
  const [asked, setAsked] = useState(number);
  const card = useRead(lookUp, { params: { card_number: asked } }, { enabled: asked.length >= numberMin });
  const { currency } = useStore();
  const found = card.data?.gift_card;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each card that is found, and when it has more or less.
  useEffect(() => found && onFound(availableOf(found.available_balance)), [found?.id, found?.available_balance]);
  return (
    <TextField
      autoFocus
      label={t('Gift card number')}
      placeholder={t('Scan or type')}
      value={number}
      {...takesScans}
      {...autofocus}
      onText={onChange}
      // A card that is scanned into a payment that was left takes its place.
      onFocus={(event) => event.currentTarget.select()}
      onKeyDown={(event) => {
        // A scanner ends with Enter: the card is looked up, and the sale is not completed by it.
        if (event.key !== 'Enter') return;
        event.preventDefault();
        setAsked(number.trim());
        // Another scan replaces it.
        event.currentTarget.select();
      }}
      onBlur={() => setAsked(number.trim())}
      error={asked !== '' && card.isError ? card.error.message : undefined}
      description={
        found
          ? t('{status}, {amount} available', {
              status: spoken(found.status),
              amount: shownMoney(availableOf(found.available_balance), currency),
            })
          : undefined
      }
    />
  );
}
