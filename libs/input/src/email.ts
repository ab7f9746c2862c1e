export const emailMax = 254;
const pattern = /^[^\s@<>,;"]+@[^\s@<>,;".]+(\.[^\s@<>,;".]+)+$/;

export function isEmail(text: string): boolean {
  return text.length <= emailMax && pattern.test(text);
}
