import { emailMax, isEmail, textField } from '@store/input';

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
