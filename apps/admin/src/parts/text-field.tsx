import { TextInput, type TextInputProps } from '@mantine/core';

export interface TextFieldProps extends Omit<TextInputProps, 'value' | 'onChange'> {
  value: string;
  onText: (text: string) => void;
}

/** A year that is typed as `26` is that of the first century. */
const firstDay = '1900-01-01';

/** A field that gives its text. */
export function TextField({ onText, ...rest }: TextFieldProps) {
  return <TextInput {...(rest.type === 'date' && { min: firstDay })} {...rest} onChange={(event) => onText(event.currentTarget.value)} />;
}
