import { expect, test } from '@jest/globals';
import { relayCommand } from './relay-command.ts';

test('an app without the audit trail refuses to publish the outboxes of all', async () => {
  await expect(relayCommand('catalog', ['--all'])).rejects.toThrow(
    'relay --all is a command of the gateway: its relay also writes the audit trail.',
  );
});
