import { TextInput, type TextInputProps } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { t } from '../language/t.ts';
import { fieldText, readMoney, readUnitCost, unitCostField } from './money.ts';

interface MoneyFieldProps extends Omit<TextInputProps, 'value' | 'onChange' | 'defaultValue'> {
  value: string;
  /** With the amount as the API takes it; with the text itself while it is no amount. */
  onText: (amount: string) => void;
  /** Takes what is below zero too. */
  signed?: boolean;
  /** Takes four decimals. */
  isUnitCost?: boolean;
}

/** Takes an amount as people type it; what was understood is shown when the field is left. No form is sent with what is none. */
export function MoneyField({ value, onText, onBlur, error, signed = false, isUnitCost = false, ...rest }: MoneyFieldProps) {
  const [draft, setDraft] = useState<string>();
  const field = useRef<HTMLInputElement>(null);
  const [read, show] = isUnitCost ? [readUnitCost, unitCostField] : [readMoney, fieldText];
  const shown = draft ?? show(value);
  const amount = read(shown);
  const isAmount = amount !== undefined && (signed || !amount.startsWith('-'));
  const fault = shown === '' || isAmount ? '' : t('This is not an amount');
  useEffect(() => field.current?.setCustomValidity(fault), [fault]);
  return (
    <TextInput
      inputMode="decimal"
      autoComplete="off"
      {...rest}
      ref={field}
      value={shown}
      error={error ?? (draft === undefined && fault !== '' ? fault : undefined)}
      onChange={(event) => {
        const text = event.currentTarget.value;
        setDraft(text || undefined);
        onText(read(text) ?? text);
      }}
      onBlur={(event) => {
        setDraft(undefined);
        onBlur?.(event);
      }}
    />
  );
}
