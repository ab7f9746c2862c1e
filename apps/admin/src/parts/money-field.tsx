import { TextInput, type TextInputProps } from '@mantine/core';
import { useState } from 'react';
import { t } from '../language/t.ts';
import { fieldText, readMoney } from './money.ts';

interface MoneyFieldProps extends Omit<TextInputProps, 'value' | 'onChange' | 'defaultValue'> {
  value: string;
  /** With the amount as the API takes it; with the text itself while it is no amount. */
  onText: (amount: string) => void;
  /** Takes what is below zero too. */
  signed?: boolean;
}

/** Takes an amount as people type it; what was understood is shown when the field is left. */
export function MoneyField({ value, onText, onBlur, error, signed = false, ...rest }: MoneyFieldProps) {
  const [draft, setDraft] = useState<string>();
  const isAmount = (text: string) => {
    const amount = readMoney(text);
    return amount !== undefined && (signed || !amount.startsWith('-'));
  };
  return (
    <TextInput
      inputMode="decimal"
      autoComplete="off"
      {...rest}
      value={draft ?? fieldText(value)}
      error={error ?? (draft === undefined && value !== '' && !isAmount(value) ? t('This is not an amount') : undefined)}
      onChange={(event) => {
        const text = event.currentTarget.value;
        setDraft(text);
        onText(readMoney(text) ?? text);
      }}
      onBlur={(event) => {
        setDraft(undefined);
        onBlur?.(event);
      }}
    />
  );
}
