/** CPU time and memory by process, as the kernel counts them. */
import { readdirSync, readFileSync } from 'node:fs';

/** Clock ticks of /proc are hundredths of a second on every Linux that Node runs on. */
const tickMs = 10;

/** CPU milliseconds so far of each named process; a name may stand for a process and its children. */
export function cpuMs(processes: Record<string, number>): Record<string, number> {
  const children = childrenByParent();
  return Object.fromEntries(
    Object.entries(processes).map(([name, pid]) => [name, withChildren(pid, children).reduce((sum, id) => sum + own(id), 0)]),
  );
}

export function difference(before: Record<string, number>, after: Record<string, number>): Record<string, number> {
  return Object.fromEntries(Object.entries(after).map(([name, ms]) => [name, ms - (before[name] ?? 0)]));
}

/** CPU milliseconds of the processes together since `before` was read. */
export function usedMs(before: Record<string, number>, processes: Record<string, number>): number {
  return Object.values(difference(before, cpuMs(processes))).reduce((sum, ms) => sum + ms, 0);
}

function stat(pid: number): string[] | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch (error) {
    // A backend that ended since it was listed.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT' || (error as NodeJS.ErrnoException).code === 'ESRCH') return undefined;
    throw error;
  }
}

/** utime and stime, and those of children that have ended and been waited for. */
function own(pid: number): number {
  const fields = stat(pid);
  return fields ? (Number(fields[11]) + Number(fields[12]) + Number(fields[13]) + Number(fields[14])) * tickMs : 0;
}

function childrenByParent(): Map<number, number[]> {
  const children = new Map<number, number[]>();
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    const parent = Number(stat(Number(entry))?.[1]);
    if (!Number.isNaN(parent)) children.set(parent, [...(children.get(parent) ?? []), Number(entry)]);
  }
  return children;
}

/** The process and all that it started, directly or not. */
export function withChildren(pid: number, children = childrenByParent()): number[] {
  return [pid, ...(children.get(pid) ?? []).flatMap((child) => withChildren(child, children))];
}

/** Of each named process. */
export function residentMb(processes: Record<string, number>): Record<string, number> {
  const of = (pid: number) => Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024;
  return Object.fromEntries(Object.entries(processes).map(([name, pid]) => [name, of(pid)]));
}
