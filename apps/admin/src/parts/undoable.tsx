import { Button, Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { t } from '../language/t.ts';

const shownMs = 10_000;

/** Says what was done, with a button that takes it back. */
export function undoable(what: string, undo: () => void): void {
  const id = notifications.show({
    autoClose: shownMs,
    message: (
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm">{what}</Text>
        <Button
          size="xs"
          variant="default"
          onClick={() => {
            undo();
            notifications.hide(id);
          }}
        >
          {t('Undo')}
        </Button>
      </Group>
    ),
  });
}
