/** How far the load is: a bar on a terminal, one line per step elsewhere. */
import { SingleBar } from 'cli-progress';

export interface Progress {
  /** A step begins; `share` is its part of the whole, in percent. */
  step(name: string, share: number): void;
  /** How much of the step is done, from 0 to 1. */
  part(done: number): void;
  done(): void;
}

export function openProgress(output: NodeJS.WriteStream = process.stdout, title = 'demo store'): Progress {
  return output.isTTY ? bar(output, title) : lines(output, title);
}

function bar(output: NodeJS.WriteStream, title: string): Progress {
  const shown = new SingleBar({
    stream: output,
    format: `Loading the ${title} [{bar}] {percentage}%  {name}`,
    barsize: 30,
    hideCursor: true,
    clearOnComplete: false,
  });
  let reached = 0;
  let share = 0;
  let current = '';
  shown.start(100, 0, { name: '' });
  return {
    step: (name, next) => {
      reached += share;
      share = next;
      current = name;
      shown.update(Math.min(reached, 100), { name });
    },
    part: (done) => shown.update(Math.min(reached + Math.floor(share * done), 100), { name: current }),
    done: () => {
      shown.update(100, { name: 'done' });
      shown.stop();
    },
  };
}

function lines(output: NodeJS.WriteStream, title: string): Progress {
  const startedAt = performance.now();
  const shown = `${title.charAt(0).toUpperCase()}${title.slice(1)}`;
  return {
    step: (name) => output.write(`${shown}: ${name}\n`),
    part: () => undefined,
    done: () => output.write(`${shown}: loaded in ${((performance.now() - startedAt) / 1_000).toFixed(1)} s\n`),
  };
}
