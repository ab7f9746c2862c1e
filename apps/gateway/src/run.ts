import { run } from '@store/service';
import { gateway } from './main.ts';

await run(gateway, {
  'backup-moment': async (args) => (await import('./backups/backup-moment.ts')).backupMoment(args),
  relay: async (args) => (await import('./relay.ts')).relay(args),
  republish: async (args) => (await import('./republish.ts')).republish(args),
  reseal: async (args) => (await import('./reseal.ts')).reseal(args),
  store: async (args) => (await import('./stores/store-command.ts')).storeCommand(args),
});
