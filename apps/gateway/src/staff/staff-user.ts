/** A member of a store's staff: the table, what admins see of it, what they may write. */
import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { idColumn, timeColumns } from '@store/db';
import { ofStore } from '../stores/of-store.ts';

export const roles = ['clerk', 'manager', 'admin'] as const;

export const StaffUser = defineEntity({
  name: 'StaffUser',
  tableName: 'staff_users',
  properties: {
    id: idColumn(),
    storeId: () => ofStore('staff_users'),
    name: p.text(),
    /** In lower case, so that one person has one; unique over all stores, as a login names no store. */
    email: p.text(),
    passwordHash: p.text(),
    role: p.enum(roles),
    financialData: p.boolean(),
    active: p.boolean(),
    ...timeColumns(),
  },
  uniques: [{ name: 'staff_users_email', properties: ['email'] }],
  indexes: [{ name: 'staff_users_store', properties: ['storeId', 'name', 'id'] }],
  checks: [{ name: 'staff_users_email_check', expression: 'email = lower(email)' }],
});

export type StaffUser = InferEntity<typeof StaffUser>;
