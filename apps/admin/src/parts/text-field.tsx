import { TextInput, type TextInputProps } from '@mantine/core';

export interface TextFieldProps extends Omit<TextInputProps, 'value' | 'onChange'> {
  value: string;
  onText: (text: string) => void;
}

/** A field that gives its text. */
export function TextField({ onText, ...rest }: TextFieldProps) {
  return <TextInput {...rest} onChange={(event) => onText(event.currentTarget.value)} />;
}
