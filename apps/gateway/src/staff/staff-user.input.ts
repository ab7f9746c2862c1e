/** What admins send for a staff user, accepted or refused. */

import { booleanField, choice, parseFields, requiredText } from '@store/input';
import { invalid, missing, sentences } from '@store/problem';
import type { StaffUserInput__Output } from '@store/protos/gateway/v1/StaffUserInput.ts';
import { emailField } from './email-field.ts';
import { passwordMax, passwordMin } from './passwords.ts';

export const roles = ['clerk', 'manager', 'admin'] as const;

const fields = {
  name: requiredText(),
  email: emailField(true),
  password: requiredText(passwordMax).refine((text) => [...text].length >= passwordMin, {
    message: `is too short (minimum is ${passwordMin} characters)`,
    when: ({ issues }) => issues.length === 0,
  }),
  role: choice(roles),
  financial_data: booleanField(),
  active: booleanField(),
};

/** The fields that were sent; with `all` those that a new user needs must be among them. */
export function staffUserInput(input: StaffUserInput__Output | undefined, all: boolean) {
  if (!input || Object.keys(input).length === 0) throw missing('staff_user');
  const { values, errors } = parseFields(fields, input);
  if (all) {
    for (const name of ['name', 'email', 'password', 'role'] as const) {
      if (values[name] === undefined && !errors[name]) errors[name] = ["can't be blank"];
    }
  }
  if (Object.keys(errors).length > 0) throw invalid(sentences(errors));
  return { ...values, email: values.email ?? undefined };
}
