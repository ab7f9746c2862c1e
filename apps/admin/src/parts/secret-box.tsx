import { ActionIcon, CopyButton, Group, Paper, Text, Tooltip } from '@mantine/core';
import { CheckIcon, CopyIcon } from '@radix-ui/react-icons';
import { t } from '../language/t.ts';

/** A secret text with a button that copies it. */
export function SecretBox({ text, label }: { text: string; label: string }) {
  return (
    <Paper p="sm" bg="var(--panel-background)">
      <Group wrap="nowrap" justify="space-between">
        <Text className="code" size="sm" aria-label={label} role="textbox" aria-readonly tabIndex={0}>
          {text}
        </Text>
        <CopyButton value={text}>
          {({ copied, copy }) => (
            <Tooltip label={copied ? t('Copied') : t('Copy')}>
              <ActionIcon variant="default" size="lg" onClick={copy} aria-label={t('Copy {label}', { label })}>
                {copied ? <CheckIcon /> : <CopyIcon />}
              </ActionIcon>
            </Tooltip>
          )}
        </CopyButton>
      </Group>
    </Paper>
  );
}
