/** A new store with its first admin (decision D154). */

import { type Db, type EntityManager, sqlOne } from '@store/db';
import { emit, type Outbox } from '@store/events';
import { requiredText } from '@store/input';
import { invalid } from '@store/problem';
import { systemCaller } from '@store/rpc';
import { isTimeZone } from '../settings/settings-fields.ts';
import { insertStaffUser } from '../staff/create-staff-user.ts';
import type { Passwords } from '../staff/passwords.ts';
import { staffUserInput } from '../staff/staff-user.input.ts';
import { staffUserFacts } from '../staff/staff-user.view.ts';
import { defaultFeatures, defaultStaffSettings, defaultTax, features } from './store.ts';
import { emitStoreChanged } from './store-changed.ts';

export interface NewStore {
  name: string;
  timeZone: string;
  /** Symbol, such as £. */
  currency?: string;
  adminEmail: string;
  adminPassword: string;
  adminName?: string;
  features?: string[];
}

export interface StoreTools {
  db: Db;
  outbox: Outbox;
  passwords: Passwords;
}

const currencyDefault = '$';
const currencyMax = 8;

/** Creates the store, on an active subscription and through its onboarding. Throws a Problem naming what is wrong. */
export async function createStore(app: StoreTools, wanted: NewStore): Promise<{ storeId: number; adminId: number }> {
  const plan = { currency: wanted.currency ?? currencyDefault, features: [...new Set(wanted.features ?? defaultFeatures)] };
  refuseBadStore(wanted, plan);
  const admin = staffUserInput(
    { name: wanted.adminName ?? 'Admin', email: wanted.adminEmail, password: wanted.adminPassword, role: 'admin' },
    true,
  );
  const passwordHash = await app.passwords.hash(wanted.adminPassword);
  return app.db.unit(0, async (em) => {
    const now = app.db.clock.now();
    const storeId = await insertStore(em, wanted, plan, now);
    const person = { storeId, name: admin.name!, email: admin.email!, passwordHash, role: 'admin', financialData: true, active: true, now };
    const user = await insertStaffUser(em, person);
    const caller = systemCaller(storeId);
    await emitStoreChanged(em, app.outbox, caller, storeId, {
      action: 'store.create',
      resource_type: 'Store',
      resource_id: storeId,
      before: null,
      after: { name: wanted.name, timezone: wanted.timeZone, currency: { symbol: plan.currency }, features: plan.features },
    });
    const adminId = Number(user.id);
    const audit = {
      action: 'staff_user.create',
      resource_type: 'StaffUser',
      resource_id: adminId,
      before: null,
      after: staffUserFacts(user),
    };
    await emit(em, app.outbox, caller, [{ name: 'staff_user.created', aggregate: `staff_user:${adminId}`, audit }]);
    return { storeId, adminId };
  });
}

interface Plan {
  currency: string;
  features: string[];
}

function refuseBadStore(wanted: NewStore, plan: Plan): void {
  const errors: string[] = [];
  if (!requiredText().safeParse(wanted.name).success) errors.push('Name must be 1 to 255 characters');
  if (!isTimeZone(wanted.timeZone)) errors.push(`Time zone ${wanted.timeZone} is not known; use an IANA name such as Europe/London`);
  if (!requiredText(currencyMax).safeParse(plan.currency).success)
    errors.push(`Currency must be a symbol of 1 to ${currencyMax} characters`);
  errors.push(...unknownFeatures(plan.features));
  if (errors.length > 0) throw invalid(errors);
}

async function insertStore(em: EntityManager, wanted: NewStore, plan: Plan, now: Date): Promise<number> {
  const { id } = await sqlOne<{ id: string }>(
    em,
    `insert into gateway.stores (name, time_zone, currency, locale, pos_subscription, onboarding, features, tax, contact, branding, settings,
       created_at, updated_at)
     values ($1, $2, $3, 'en', 'active', 'done', $4, $5, $6, $7, $8, $9, $9) returning id::text`,
    [
      wanted.name,
      wanted.timeZone,
      plan.currency,
      plan.features,
      JSON.stringify(defaultTax),
      JSON.stringify({ address: null, phone: null, email: null }),
      JSON.stringify({ name: wanted.name, brand: 'classic', url: null, support_email: null, support_phone: null }),
      JSON.stringify(defaultStaffSettings),
      now,
    ],
  );
  return Number(id);
}

/** One sentence per feature that no plan has. */
export function unknownFeatures(wanted: string[]): string[] {
  const known: readonly string[] = features;
  return wanted
    .filter((feature) => !known.includes(feature))
    .map((feature) => `Feature ${feature} is not known; the features are ${known.join(', ')}`);
}
