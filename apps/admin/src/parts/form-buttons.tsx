import { Button, Group } from '@mantine/core';
import { t } from '../language/t.ts';

interface FormButtonsProps {
  onCancel: () => void;
  /** Whether the form is being sent. */
  busy: boolean;
  /** Its answer is owed. */
  isLost?: boolean;
  disabled?: boolean;
  /** What the button that sends the form says; Save when absent. */
  action?: string;
}

/** The end of a form in a dialog. */
export function FormButtons({ onCancel, busy, isLost = false, disabled = false, action = t('Save') }: FormButtonsProps) {
  return (
    <Group justify="flex-end">
      <Button variant="default" onClick={onCancel}>
        {isLost ? t('Look at what is stored') : t('Cancel')}
      </Button>
      <Button type="submit" loading={busy} disabled={disabled && !isLost}>
        {isLost ? t('Ask again') : action}
      </Button>
    </Group>
  );
}
