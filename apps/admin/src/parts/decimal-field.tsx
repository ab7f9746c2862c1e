import { TextInput, type TextInputProps } from '@mantine/core';
import { language } from '../language/t.ts';

interface DecimalFieldProps extends Omit<TextInputProps, 'value' | 'onChange'> {
  value: string;
  /** With the number as the API takes it, with a point. */
  onText: (text: string) => void;
}

/** A rate, a percentage or a factor, typed with a point or a comma. */
export function DecimalField({ value, onText, ...rest }: DecimalFieldProps) {
  return (
    <TextInput
      inputMode="decimal"
      autoComplete="off"
      {...rest}
      value={language === 'en' ? value : value.replace('.', ',')}
      onChange={(event) => onText(event.currentTarget.value.replace(',', '.'))}
    />
  );
}
