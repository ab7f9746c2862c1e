import { Button, type ButtonProps, Group } from '@mantine/core';
import { t } from '../language/t.ts';

interface FormButtonsProps extends Pick<ButtonProps, 'color'> {
  /** Absent: there is nothing to look at. */
  onCancel?: () => void;
  /** Where there is no form to submit. */
  onSend?: () => void;
  /** Whether the form is being sent. */
  busy: boolean;
  /** It cannot be sent yet. */
  waits?: boolean;
  /** Its answer is owed. */
  isLost?: boolean;
  disabled?: boolean;
  /** What the button that sends the form says; Save when absent. */
  action?: string;
  /** What the button that sends nothing says. */
  cancel?: string;
}

/** The end of a form in a dialog. */
export function FormButtons({
  onCancel,
  busy,
  waits = false,
  isLost = false,
  disabled = false,
  action = t('Save'),
  cancel = t('Cancel'),
  onSend,
  color,
}: FormButtonsProps) {
  return (
    <Group justify="flex-end">
      {onCancel && (
        <Button variant="default" disabled={busy} onClick={onCancel}>
          {isLost ? t('Look at what is stored') : cancel}
        </Button>
      )}
      <Button type={onSend ? 'button' : 'submit'} onClick={onSend} color={color} loading={busy || waits} disabled={disabled && !isLost}>
        {isLost ? t('Ask again') : action}
      </Button>
    </Group>
  );
}
