import { Button, Group } from '@mantine/core';

interface FormButtonsProps {
  onCancel: () => void;
  /** Whether the form is being sent. */
  busy: boolean;
  disabled?: boolean;
  /** What the button that sends the form says; Save when absent. */
  action?: string;
}

/** The end of a form in a dialog. */
export function FormButtons({ onCancel, busy, disabled = false, action = 'Save' }: FormButtonsProps) {
  return (
    <Group justify="flex-end">
      <Button variant="default" onClick={onCancel}>
        Cancel
      </Button>
      <Button type="submit" loading={busy} disabled={disabled}>
        {action}
      </Button>
    </Group>
  );
}
