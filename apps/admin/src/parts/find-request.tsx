import { Button, Group, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useNavigate } from 'react-router';

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
        <TextInput
          aria-label="Request id"
          placeholder="Request id"
          value={id}
          onChange={(event) => setId(event.currentTarget.value)}
          style={{ flex: 1 }}
        />
        <Button type="submit" variant="default">
          Find
        </Button>
      </Group>
    </form>
  );
}
