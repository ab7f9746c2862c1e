/** A command that stays until Ctrl-C, and stops what it started in the reverse order. */
import { BadConfig } from '@store/service';
import { CannotStart } from './cannot-start.ts';

export interface Foreground {
  /** Stopped together with the command, newest first. */
  onStop(stop: () => Promise<void> | void): void;
}

/** Runs `start`; prints one sentence for a reason that the user can fix, and the whole trace for anything else. */
export async function foreground(start: (parts: Foreground) => Promise<void>): Promise<void> {
  const stops: (() => Promise<void> | void)[] = [];
  let stopping: Promise<void> | undefined;
  const stopAll = () => {
    stopping ??= (async () => {
      for (const stop of stops.splice(0).reverse()) await stop();
    })();
    return stopping;
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (!stopping) console.log('\nStopping');
      stopAll().then(
        () => process.exit(0),
        (error: unknown) => {
          console.error(error);
          process.exit(1);
        },
      );
    });
  }
  try {
    await start({ onStop: (stop) => stops.push(stop) });
  } catch (error) {
    console.error(sentenceOf(error) ?? error);
    await stopAll();
    process.exit(1);
  }
}

function sentenceOf(error: unknown): string | undefined {
  if (error instanceof CannotStart || error instanceof BadConfig) return error.message;
  const { code, port } = error as { code?: string; port?: number };
  return code === 'EADDRINUSE' ? `Port ${port} is taken; set GATEWAY_PORT to another one.` : undefined;
}
