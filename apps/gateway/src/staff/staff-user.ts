import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { idColumn, type Row, timeColumn, timeColumns } from '@store/db';
import { acceptor, booleanField, choice, parseFields, refuseErrors, requiredText } from '@store/input';
import type { OwnStaffUserInput__Output, StaffUserInput__Output, StaffUser as StaffUserMessage } from '@store/protos/gateway/v1.ts';
import { ofStore } from '../stores/of-store.ts';
import { emailField } from './email-field.ts';
import { passwordMax, passwordMin } from './passwords.ts';

export const roles = ['clerk', 'manager', 'admin'] as const;

export const StaffUser = defineEntity({
  name: 'StaffUser',
  tableName: 'staff_users',
  properties: {
    storeId: () => ofStore('staff_users'),
    id: idColumn(),
    name: p.text(),
    /** In lower case, so that one person has one; unique across all stores, as a login names no store. */
    email: p.text(),
    /** Null until an invite is accepted. */
    passwordHash: p.text().nullable(),
    /** Of the link with which the user chooses a password once. */
    inviteHash: p.blob().nullable(),
    inviteExpiresAt: timeColumn().nullable(),
    role: p.enum(roles),
    financialData: p.boolean(),
    active: p.boolean(),
    /** Sealed secret of the authenticator app; without `secondFactorAt` it is not proved yet and not asked for. */
    secondFactorSecret: p.text().nullable(),
    secondFactorAt: timeColumn().nullable(),
    /** The time step of the last code that was used: each counts once. */
    secondFactorStep: p.integer().default(0),
    /** Hashes of those that were not used yet. */
    recoveryCodes: p.array().columnType('text[]').defaultRaw(`'{}'::text[]`),
    ...timeColumns(),
  },
  uniques: [{ name: 'staff_users_email', properties: ['email'] }],
  indexes: [
    { name: 'staff_users_store', properties: ['storeId', 'name', 'id'] },
    { name: 'staff_users_invite', properties: ['inviteHash'], where: 'invite_hash is not null' },
  ],
  checks: [{ name: 'staff_users_email_check', expression: 'email = lower(email)' }],
});

export type StaffUser = InferEntity<typeof StaffUser>;

const password = requiredText(passwordMax).refine((text) => [...text].length >= passwordMin, {
  message: `is too short (minimum is ${passwordMin} characters)`,
  when: ({ issues }) => issues.length === 0,
});

const fields = {
  name: requiredText(),
  email: emailField(true),
  password,
  role: choice(roles),
  financial_data: booleanField(),
  active: booleanField(),
};

const accept = acceptor({ wrapper: 'staff_user', fields, required: ['name', 'email'] });

const acceptOwn = acceptor({
  wrapper: 'staff_user',
  fields: { current_password: requiredText(passwordMax), password },
  required: ['current_password', 'password'],
});

export function acceptPassword(input: { password?: string }): string {
  const { values, errors } = parseFields({ password }, { password: input.password ?? '' });
  refuseErrors(errors);
  return values.password!;
}

export function acceptOwnPassword(input: OwnStaffUserInput__Output | undefined): { current: string; password: string } {
  const { values, errors } = acceptOwn.create(input);
  refuseErrors(errors);
  return { current: values.current_password!, password: values.password! };
}

export const acceptStaffUser = {
  create(input: StaffUserInput__Output | undefined, { invited = false } = {}) {
    const { values, errors } = accept.create(input);
    if (!invited && input?.password === undefined) errors.password ??= ["can't be blank"];
    if (invited && input?.password !== undefined) errors.password = ["can't be given with an invite"];
    if (values.role === undefined) errors.role ??= ["can't be blank"];
    refuseErrors(errors);
    const { financial_data = false, active = true } = values;
    return { name: values.name!, email: values.email!, password: values.password, role: values.role!, financial_data, active };
  },
  update(input: StaffUserInput__Output | undefined) {
    const { values, errors } = accept.update(input);
    refuseErrors(errors);
    return values;
  },
};

export const staffUserColumns = [
  'id',
  'name',
  'email',
  'role',
  'financial_data',
  'active',
  'second_factor_at',
  'invite_expires_at',
  'created_at',
] as const;

export type StaffUserRow = Pick<Row<typeof StaffUser>, (typeof staffUserColumns)[number]>;

/** Field by field, so that other columns, such as the password's hash, are never shown. */
export function staffUserView({ second_factor_at, invite_expires_at, created_at, ...row }: StaffUserRow) {
  const { id, name, email, role, financial_data, active } = row;
  return {
    ...{ id, name, email, role, financial_data, active },
    created_at: created_at.toISOString(),
    second_factor: second_factor_at !== null,
    invited_until: invite_expires_at?.toISOString(),
  } satisfies StaffUserMessage;
}

export function staffUserRow({
  financialData,
  secondFactorAt = null,
  inviteExpiresAt = null,
  createdAt,
  ...user
}: StaffUser): StaffUserRow {
  return {
    ...user,
    financial_data: financialData,
    second_factor_at: secondFactorAt,
    invite_expires_at: inviteExpiresAt,
    created_at: createdAt,
  };
}

export function staffUserFacts({ name, email, role, financialData, active }: StaffUser): Record<string, unknown> {
  return { name, email, role, financial_data: financialData, active };
}
