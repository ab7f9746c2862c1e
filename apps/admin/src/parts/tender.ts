/** `gift_card` → `Gift card`. */
export function tenderText(method: string): string {
  const text = method.replaceAll('_', ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}
