import { Button, Group } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useNavigate } from 'react-router';
import { t } from '../language/t.ts';
import { TextField } from './text-field.tsx';

/** Straight to one request by the id that an integrator names. */
export function FindRequest() {
  const [id, setId] = useState('');
  const navigate = useNavigate();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (id.trim()) void navigate(`/requests/${encodeURIComponent(id.trim())}`);
  };
  return (
    <form onSubmit={submit}>
      <Group gap="xs" wrap="nowrap">
        <TextField aria-label={t('Request id')} placeholder={t('Request id')} value={id} onText={setId} style={{ flex: 1 }} />
        <Button type="submit" variant="default">
          {t('Find')}
        </Button>
      </Group>
    </form>
  );
}
