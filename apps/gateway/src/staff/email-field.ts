/** E-mail addresses, kept in lower case so that one person has one. */
import { textField } from '@store/input';

const emailMax = 254;
const pattern = /^[^\s@<>,;"]+@[^\s@<>,;".]+(\.[^\s@<>,;".]+)+$/;

export function isEmail(text: string): boolean {
  return text.length <= emailMax && pattern.test(text);
}

/** An address in lower case, null when blank; `required` refuses a blank one. */
export function emailField(required = false) {
  return textField(emailMax).transform((text, context) => {
    const email = text?.trim().toLowerCase() ?? null;
    if (email === null ? required : !isEmail(email)) {
      context.addIssue({ code: 'custom', message: email === null ? "can't be blank" : 'is invalid' });
    }
    return email;
  });
}
