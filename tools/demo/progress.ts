/** How far the load is: a bar on a terminal, one line per step elsewhere. */
import { SingleBar } from 'cli-progress';

export interface Progress {
  /** A step begins; `share` is its part of the whole, in percent. */
  step(name: string, share: number): void;
  done(): void;
}

export function openProgress(output: NodeJS.WriteStream = process.stdout): Progress {
  return output.isTTY ? bar(output) : lines(output);
}

function bar(output: NodeJS.WriteStream): Progress {
  const shown = new SingleBar({
    stream: output,
    format: 'Loading the demo store [{bar}] {percentage}%  {name}',
    barsize: 30,
    hideCursor: true,
    clearOnComplete: false,
  });
  let reached = 0;
  let share = 0;
  shown.start(100, 0, { name: '' });
  return {
    step: (name, next) => {
      reached += share;
      share = next;
      shown.update(Math.min(reached, 100), { name });
    },
    done: () => {
      shown.update(100, { name: 'done' });
      shown.stop();
    },
  };
}

function lines(output: NodeJS.WriteStream): Progress {
  const startedAt = performance.now();
  return {
    step: (name) => output.write(`Demo store: ${name}\n`),
    done: () => output.write(`Demo store: loaded in ${((performance.now() - startedAt) / 1_000).toFixed(1)} s\n`),
  };
}
