import { Button, Group, Stack, Text } from '@mantine/core';
import { t } from '../language/t.ts';
import { SecretBox } from '../parts/secret-box.tsx';
import { Time } from '../parts/time.tsx';

interface InviteLinkProps {
  of: { token: string; expires_at: string };
  onClose: () => void;
}

/** The link that an admin passes on; it cannot be shown again, but another one can be made. */
export function InviteLink({ of: { token, expires_at }, onClose }: InviteLinkProps) {
  return (
    <Stack>
      <Text size="sm">
        {t('Send this link to the person alone: whoever opens it chooses the password. It works once, until')} <Time at={expires_at} />.
      </Text>
      <SecretBox text={`${window.location.origin}/admin/invite#${token}`} label={t('the invite link')} />
      <Group justify="flex-end">
        <Button onClick={onClose}>{t('Done')}</Button>
      </Group>
    </Stack>
  );
}
