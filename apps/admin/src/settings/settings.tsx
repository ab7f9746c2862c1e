/** The store's settings; admins change them. */

import { Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { call } from '../api/client.ts';
import type { Schemas } from '../api/gen/api.js';
import { ApiProblem } from '../api/problem.ts';
import { useRead, useWrite } from '../api/query.ts';
import { fromApi, language, t } from '../language/t.ts';
import { FieldInput, type Values } from '../parts/field-input.tsx';
import { useFormScans } from '../parts/form-scans.ts';
import { Leaving } from '../parts/leaving.tsx';
import { Page, Section } from '../parts/page.tsx';
import { ChangedMeanwhile, useRecordForm } from '../parts/record-form.tsx';
import { Fault, useSending } from '../parts/sending.tsx';
import { Shown } from '../parts/states.tsx';
import { allFields, nested, settingGroups, valuesOf } from './fields.ts';

export default function Settings() {
  const found = useRead('getSettings', { query }, { gcTime: 0 });
  return (
    <Page title={t('Settings')} about={t('Who the store is, how it taxes, and what its registers do.')}>
      <Shown of={found} rows={10}>
        {({ settings }) => <SettingsForm settings={settings!} />}
      </Shown>
    </Page>
  );
}

const path = '/settings';
const query = { include: 'currency_code' };
const read = async () => valuesOf((await call('getSettings', { query })).settings!);

function SettingsForm({ settings }: { settings: Schemas['Settings'] }) {
  const [opened] = useState<Values>(() => valuesOf(settings));
  const form = useRecordForm(opened, { path, shown: settings, read });
  const { now: values, isDirty: isChanged } = form;
  const save = useWrite('updateSettings', {
    changes: ['getSettings'],
    done: t('The settings are saved'),
    quiet: true,
    onDone: ({ settings: saved }) => {
      form.startFrom(valuesOf(saved!));
      if (saved!.locale !== language) window.location.reload();
    },
  });
  const messages = save.error instanceof ApiProblem ? save.error.messages : [];
  const busy = save.isPending || form.isSaving;
  const { submit, isLost, isLocked } = useSending({ isPending: busy, error: save.error }, () => {
    if (isChanged) void form.save((changes, version) => save.mutateAsync({ query, body: { settings: nested(changes) }, version }));
  });
  const onKey = useFormScans();
  const look = () =>
    void read().then(
      (latest) => {
        save.reset();
        form.startFrom(latest);
      },
      // What was sent stays owed until the store answers.
      () => undefined,
    );
  return (
    <form onSubmit={submit} onKeyDownCapture={onKey}>
      <Stack>
        <fieldset disabled={isLocked}>
          <Stack>
            {settingGroups.map(({ title, fields }) => (
              <Section key={title} title={title}>
                <div className="fields">
                  {fields
                    .filter(({ when }) => !when || when(values))
                    .map((field) => (
                      <FieldInput
                        key={field.path}
                        of={field}
                        value={values[field.path]!}
                        error={faultOf(field.path, messages)}
                        onChange={(value) => form.set({ [field.path]: value })}
                      />
                    ))}
                </div>
              </Section>
            ))}
          </Stack>
        </fieldset>
        {form.conflict ? <ChangedMeanwhile of={form.conflict} /> : save.error && <Fault of={named(save.error, messages)} />}
        <Group justify="flex-end">
          {isChanged && (
            <Text size="sm" c="dimmed">
              {t('Not saved yet')}
            </Text>
          )}
          <Button variant="default" disabled={!isChanged || busy} onClick={isLost ? look : form.undo}>
            {isLost ? t('Look at what is stored') : t('Undo')}
          </Button>
          <Button type="submit" loading={busy} disabled={!isChanged}>
            {isLost ? t('Ask again') : t('Save')}
          </Button>
        </Group>
      </Stack>
      <Leaving when={isChanged && !busy} isSent={busy} />
    </form>
  );
}

/** The API names a setting by its path at the start of the message. */
function faultOf(path: string, messages: string[]): string | undefined {
  const found = messages.find((message) => message.startsWith(`${path} `));
  return found && fromApi(found.slice(path.length + 1));
}

/** All that is wrong, by the labels of the fields, as they may be out of sight. */
function named(error: Error, messages: string[]): Error {
  const faults = allFields.flatMap(({ path, label }) => faultOf(path, messages)?.replace(/^/, `${label}: `) ?? []);
  return faults.length === messages.length && faults.length > 0 ? new Error(faults.join('; ')) : error;
}
