/** A form whose fields are told as a list: it makes a record, or changes one at the version that it shows. */
import { faultOf } from '../api/problem.ts';
import { type Field, FieldInput, type Values } from './field-input.tsx';
import { FormDialog } from './form-dialog.tsx';
import { useRecordForm } from './record-form.tsx';
import type { Sent } from './sending.tsx';

interface RecordDialogProps {
  title: string;
  fields: Field[];
  /** The record to change; absent: it is made. */
  record?: object;
  existing?: { path: string; read: () => Promise<object> };
  /** Of a new record. */
  initial?: Values;
  sent: Sent;
  /** Rejects when it failed. `body` has what was changed; an empty field is null. */
  onSave: (body: Record<string, unknown>, version: string | undefined) => Promise<unknown>;
  onClose: () => void;
}

export function RecordDialog({ title, fields, record, existing, initial = {}, sent, onSave, onClose }: RecordDialogProps) {
  const read = existing && (async () => held(fields, await existing.read()));
  const form = useRecordForm<Values>(
    held(fields, record ?? initial),
    existing && read && { path: existing.path, shown: record ?? initial, read },
  );
  const shown = fields.filter(({ when }) => !when || when(form.now));
  const submit = () => {
    // A new record is sent what its form began with, too.
    const filled = record ? shown.filter(({ path }) => path in form.changes) : shown.filter(({ path }) => form.now[path] !== '');
    const body = Object.fromEntries(filled.map(({ path }) => [path, form.now[path] === '' ? null : form.now[path]]));
    void form.save((_changes, version) => onSave(body, version));
  };
  return (
    <FormDialog title={title} onClose={onClose} onSubmit={submit} sent={sent} form={form}>
      {shown.map((field, index) => (
        <FieldInput
          key={field.path}
          of={field}
          value={form.now[field.path]!}
          error={faultOf(sent.error, field.path)}
          onChange={(value) => form.set({ [field.path]: value })}
          autoFocus={index === 0}
        />
      ))}
    </FormDialog>
  );
}

/** What a record has in these fields; what it has not is an empty text. */
function held(fields: Field[], record: object): Values {
  return Object.fromEntries(fields.map(({ path }) => [path, (record as Values)[path] ?? '']));
}
