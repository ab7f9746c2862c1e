/** Lists in a body: what was not sent stays as it is, an empty one empties, junk is a field error. */
import { type FieldErrors, idField } from './values.ts';

interface Sent {
  empty_lists?: string[];
  malformed?: string[];
}

/** Whether the list was sent in a usable shape; a malformed one, and one of more items than `max`, is reported. */
export function wasSent<Name extends string>(
  input: Sent & { [N in Name]?: unknown[] },
  name: Name,
  max: Record<string, number>,
  errors: FieldErrors,
): boolean {
  if ((input[name]?.length ?? 0) > max[name]!) {
    errors[name] = [`is too long (maximum is ${max[name]})`];
    return false;
  }
  if (input.malformed?.some((path) => path === name || path.startsWith(`${name}.`))) {
    errors[name] = ['is invalid'];
    return false;
  }
  return (input[name]?.length ?? 0) > 0 || (input.empty_lists?.includes(name) ?? false);
}

/** Distinct ids in ascending order, `max` items at most (D200); undefined: not sent, or not usable. */
export function idList<Name extends string>(
  input: Sent & { [N in Name]?: string[] },
  name: Name,
  max: Record<string, number>,
  errors: FieldErrors,
): number[] | undefined {
  if (!wasSent(input, name, max, errors)) return undefined;
  const field = idField();
  const ids: number[] = [];
  for (const text of input[name] ?? []) {
    const id = field.safeParse(text);
    if (!id.success || id.data === null) errors[name] = ['must be integers'];
    else ids.push(id.data);
  }
  return [...new Set(ids)].sort((a, b) => a - b);
}
