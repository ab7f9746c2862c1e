import { Button, Checkbox, Group, Select, Stack, Switch, Text } from '@mantine/core';
import { useState } from 'react';
import type { Schemas } from '../api/gen/api.js';
import { scopes } from '../api/gen/scopes.ts';
import { useStore } from '../api/store.ts';
import { fromApi, t } from '../language/t.ts';
import { FormButtons } from '../parts/form-buttons.tsx';
import { type Sent, SentFields, useSending } from '../parts/sending.tsx';
import { TextField } from '../parts/text-field.tsx';
import { timeText } from '../parts/time.tsx';

type KeyInput = Schemas['ApiKeyInput'];

interface KeyFormProps {
  sent: Sent;
  /** What was sent and has no answer. */
  owed: KeyInput | undefined;
  onCreate: (key: KeyInput) => void;
  onCancel: () => void;
}

const rateLimitDefault = 60;
const rateLimitMax = 1_000;

const days = [30, 90, 180, 365];
const dayMs = 86_400_000;

const expiries = [
  { value: 'never', label: t('Never') },
  ...days.map((count) => ({ value: String(count), label: count === 365 ? t('In a year') : t('In {count} days', { count }) })),
];

/** The time in ISO 8601; undefined: never. */
function expiryAt(choice: string, now: Date): string | undefined {
  return choice === 'never' ? undefined : new Date(now.getTime() + Number(choice) * dayMs).toISOString();
}

export function KeyForm({ sent, owed, onCreate, onCancel }: KeyFormProps) {
  const [name, setName] = useState(owed?.name ?? '');
  const [granted, setGranted] = useState<string[]>(owed?.scopes ?? []);
  const [rateLimit, setRateLimit] = useState(String(owed?.rate_limit ?? rateLimitDefault));
  // Of what was sent before; it stays, once that is refused, until another is chosen.
  const [until] = useState(owed?.expires_at);
  const [expiry, setExpiry] = useState<string | null>(until ? null : 'never');
  const { timeZone } = useStore();
  const [testMode, setTestMode] = useState(owed?.test_mode ?? false);
  // What is asked again has the same day.
  const [openedAt] = useState(() => new Date());
  const { submit, isLost } = useSending(sent, () => {
    const expires_at = expiry === null ? until : expiryAt(expiry, openedAt);
    onCreate(owed ?? { name, scopes: granted, rate_limit: Number(rateLimit), test_mode: testMode, ...(expires_at && { expires_at }) });
  });
  return (
    <form onSubmit={submit}>
      <Stack>
        <SentFields sent={sent}>
          <TextField
            label={t('Name')}
            description={t('The program that will use it, so that you know it again')}
            required
            maxLength={255}
            data-autofocus
            value={name}
            onText={setName}
          />
          <Scopes granted={granted} onChange={setGranted} />
          <Group align="flex-start" grow preventGrowOverflow={false}>
            <TextField
              type="number"
              inputMode="numeric"
              label={t('Requests a minute')}
              description={t('1 to 1,000')}
              required
              min={1}
              max={rateLimitMax}
              value={rateLimit}
              onText={setRateLimit}
            />
            <Select
              label={t('Expires')}
              description={t('Then it is refused')}
              data={expiries}
              placeholder={until && timeText(until, timeZone)}
              value={expiry}
              onChange={(value) => setExpiry(value ?? 'never')}
            />
          </Group>
          <Switch
            label={t('Test Mode')}
            description={t("The key may only read, whatever its scopes. It reads this store's real data.")}
            checked={testMode}
            onChange={(event) => setTestMode(event.currentTarget.checked)}
          />
        </SentFields>
        <FormButtons
          onCancel={isLost ? undefined : onCancel}
          busy={sent.isPending}
          isLost={isLost}
          disabled={granted.length === 0 || name.trim() === ''}
          action={t('Create the key')}
        />
      </Stack>
    </form>
  );
}

function Scopes({ granted, onChange }: { granted: string[]; onChange: (scopes: string[]) => void }) {
  const all = Object.keys(scopes);
  return (
    <Checkbox.Group
      label={t('Scopes')}
      description={t('Grant only what the program needs. They cannot be changed later.')}
      required
      value={granted}
      onChange={onChange}
    >
      <Group gap="xs" mt="xs">
        <Button size="compact-xs" variant="default" onClick={() => onChange(all.filter((scope) => scope.endsWith(':read')))}>
          {t('All that read')}
        </Button>
        <Button size="compact-xs" variant="default" onClick={() => onChange(granted.length === all.length ? [] : all)}>
          {granted.length === all.length ? t('None|scopes') : t('All|scopes')}
        </Button>
        <Text size="xs" c="dimmed" aria-live="polite">
          {t('{count} chosen', { count: granted.length })}
        </Text>
      </Group>
      <Stack gap="xs" mt="sm">
        {Object.entries(scopes).map(([scope, text]) => (
          <Checkbox key={scope} value={scope} label={scope} description={fromApi(text)} classNames={{ label: 'code' }} />
        ))}
      </Stack>
    </Checkbox.Group>
  );
}
