import { run } from '@store/service';
import { webhooks } from './main.ts';

await run(webhooks, {
  'raise-sequences': async (args) => (await import('./events/raise-sequences.ts')).raiseSequencesCommand(args),
  reseal: async (args) => (await import('./reseal.ts')).reseal(args),
});
