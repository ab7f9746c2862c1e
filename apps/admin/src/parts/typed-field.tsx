import { TextInput, type TextInputProps } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';

/** A text field for a value of another type. */
export type TypedFieldProps = Omit<TextInputProps, 'value' | 'onChange' | 'defaultValue'>;

interface Typed<Value> extends TypedFieldProps {
  /** The value as people write it. */
  shown: string;
  /** Undefined: the text is no such value. */
  read: (text: string) => Value | undefined;
  /** What is said of text that is none. */
  fault: string;
  /** With the text itself while it is none. */
  onRead: (value: Value | string) => void;
}

/** Takes a number as people type it; what was understood is shown when the field is left. No form is sent with what is none. */
export function TypedField<Value>({ shown, read, fault, onRead, onBlur, error, ...rest }: Typed<Value>) {
  const [draft, setDraft] = useState<string>();
  const field = useRef<HTMLInputElement>(null);
  const text = draft ?? shown;
  const said = text === '' || read(text) !== undefined ? '' : fault;
  useEffect(() => field.current?.setCustomValidity(said), [said]);
  return (
    <TextInput
      inputMode="decimal"
      autoComplete="off"
      {...rest}
      ref={field}
      value={text}
      error={error ?? (draft === undefined && said !== '' ? said : undefined)}
      onChange={(event) => {
        const typed = event.currentTarget.value;
        setDraft(typed || undefined);
        onRead(read(typed) ?? typed);
      }}
      onBlur={(event) => {
        setDraft(undefined);
        onBlur?.(event);
      }}
    />
  );
}
