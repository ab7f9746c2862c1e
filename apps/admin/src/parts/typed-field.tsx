import { TextInput, type TextInputProps } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';

/** A text field for a value of another type. */
export type TypedFieldProps = Omit<TextInputProps, 'value' | 'onChange' | 'defaultValue'>;

interface Typed<Value> extends TypedFieldProps {
  /** Text: it is no such value. */
  value: Value | string;
  /** As people write it. */
  show: (value: Value | string) => string;
  /** Undefined: the text is no such value. */
  read: (text: string) => Value | undefined;
  /** What is said of text that is none. */
  fault: string;
  /** With the text itself while it is none. */
  onRead: (value: Value | string) => void;
}

/** Takes a number as people type it; what was understood is shown when the field is left. No form is sent with what is none. */
export function TypedField<Value>({ value, show, read, fault, onRead, onBlur, error, ...rest }: Typed<Value>) {
  const [draft, setDraft] = useState<string>();
  const field = useRef<HTMLInputElement>(null);
  const shown = show(value);
  // The value may have changed since, as by a scan.
  const isTyped = draft !== undefined && show(read(draft) ?? draft) === shown;
  const text = isTyped ? draft : shown;
  const said = text === '' || read(text) !== undefined ? '' : fault;
  useEffect(() => field.current?.setCustomValidity(said), [said]);
  return (
    <TextInput
      inputMode="decimal"
      autoComplete="off"
      {...rest}
      ref={field}
      value={text}
      error={error ?? (!isTyped && said !== '' ? said : undefined)}
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
