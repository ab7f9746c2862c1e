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
  return new RegExp(`^${form.replaceAll(/\{(\w+)\}/g, '(?<$1>.+)')}$`).exec(message)?.groups;
}
