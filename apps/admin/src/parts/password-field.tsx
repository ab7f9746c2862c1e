import { PasswordInput, type PasswordInputProps } from '@mantine/core';
import { t } from '../language/t.ts';
import { takesScans } from './scanner.ts';

/** The API refuses shorter ones. */
const passwordMin = 12;

interface PasswordFieldProps extends Omit<PasswordInputProps, 'onChange'> {
  onText: (text: string) => void;
}

/** A password, of the person who is signed in unless `autoComplete` says otherwise. A badge may have it: it is no product's code. */
export function PasswordField({ onText, ...rest }: PasswordFieldProps) {
  return (
    <PasswordInput
      autoComplete="current-password"
      required
      withAsterisk={false}
      {...takesScans}
      {...rest}
      onChange={(event) => onText(event.currentTarget.value)}
      visibilityToggleButtonProps={{ 'aria-label': t('Show the password'), tabIndex: 0, ...takesScans }}
    />
  );
}

/** A password that is chosen, with what the API asks of it. */
export function NewPasswordField(props: PasswordFieldProps) {
  return (
    <PasswordField
      label={t('New password')}
      description={t('At least {passwordMin} characters, not easy to guess', { passwordMin })}
      autoComplete="new-password"
      minLength={passwordMin}
      {...props}
    />
  );
}
