import { language } from '../language/t.ts';
import { TextField, type TextFieldProps } from './text-field.tsx';

/** A rate, a percentage or a factor, typed with a point or a comma; its text is the number as the API takes it, with a point. */
export function DecimalField({ value, onText, ...rest }: TextFieldProps) {
  const shown = language === 'en' ? value : value.replace('.', ',');
  return <TextField inputMode="decimal" autoComplete="off" {...rest} value={shown} onText={(text) => onText(text.replace(',', '.'))} />;
}
