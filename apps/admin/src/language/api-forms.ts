/** Messages of the API that name something or an amount; those without are words of the dictionary (api-texts.json lists both). */
export const apiForms = [
  'Discount amount must be less than or equal to {amount}',
  'Gift card ending in {card} has expired',
  'Gift card ending in {card} has only {amount} available',
  'Gift card ending in {card} is cancelled',
  'Gift card has only {amount} to hold',
  'Gift card has only {amount} to take',
];

/** The values of the form that a message has; undefined: it has another. */
export function valuesOf(form: string, message: string): Record<string, string> | undefined {
  const [begin, ...parts] = form.split(/\{(\w+)\}/);
  const values: Record<string, string> = {};
  let rest = message.startsWith(begin!) ? message.slice(begin!.length) : '';
  while (parts.length > 0) {
    const [name, text] = parts.splice(0, 2) as [string, string];
    const end = parts.length === 0 ? rest.length - text.length : rest.indexOf(text);
    if (end <= 0 || !rest.startsWith(text, end)) return undefined;
    values[name] = rest.slice(0, end);
    rest = rest.slice(end + text.length);
  }
  return values;
}
