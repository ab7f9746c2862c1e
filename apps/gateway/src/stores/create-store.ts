/** A new store with its first admin (D154). */
import type { Db, EntityManager } from '@store/db';
import type { Outbox } from '@store/events';
import { requiredText } from '@store/input';
import { invalid } from '@store/problem';
import { systemCaller } from '@store/rpc';
import { isTimeZone } from '../settings/settings-fields.ts';
import { insertStaffUser } from '../staff/create-staff-user.ts';
import { hashNewPassword } from '../staff/new-password.ts';
import type { Passwords } from '../staff/passwords.ts';
import { acceptStaffUser } from '../staff/staff-user.ts';
import { defaultFeatures, defaultStaffSettings, defaultTax, features, Store } from './store.ts';
import { emitStoreChanged } from './store-changed.ts';

export interface NewStore {
  name: string;
  timeZone: string;
  currency?: string;
  adminEmail: string;
  adminPassword: string;
  adminName?: string;
  features?: string[];
}

interface StoreTools {
  db: Db;
  outbox: Outbox;
  passwords: Passwords;
}

const currencyDefault = '$';
const currencyMax = 8;

/** Creates the store with an active subscription and completed onboarding. Throws a Problem naming invalid fields. */
export async function createStore(app: StoreTools, wanted: NewStore): Promise<{ storeId: number; adminId: number }> {
  const plan = { currency: wanted.currency ?? currencyDefault, features: [...new Set(wanted.features ?? defaultFeatures)] };
  refuseBadStore(wanted, plan);
  const { password, ...admin } = acceptStaffUser.create({
    name: wanted.adminName ?? 'Admin',
    email: wanted.adminEmail,
    password: wanted.adminPassword,
    role: 'admin',
    financial_data: 'true',
  });
  const passwordHash = await hashNewPassword(app.passwords, password!, [admin.name, admin.email, wanted.name]);
  return app.db.unit(0, async (em) => {
    const store = await insertStore(em, wanted, plan, app.db.clock.now());
    // From here on the unit is bound to the new store.
    em.setFilterParams('store', { storeId: store.id });
    const call = { caller: systemCaller(store.id) };
    await emitStoreChanged(em, app.outbox, call.caller, store.id, {
      action: 'store.create',
      resource_type: 'Store',
      resource_id: store.id,
      before: null,
      after: { name: wanted.name, timezone: wanted.timeZone, currency: { symbol: plan.currency }, features: plan.features },
    });
    const user = await insertStaffUser(em, app, call, { ...admin, passwordHash });
    return { storeId: store.id, adminId: user.id };
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

async function insertStore(em: EntityManager, wanted: NewStore, plan: Plan, now: Date): Promise<Store> {
  const store = em.create(Store, {
    name: wanted.name,
    timeZone: wanted.timeZone,
    ...plan,
    locale: 'en',
    province: null,
    posSubscription: 'active',
    onboarding: 'done',
    tax: defaultTax,
    contact: { address: null, phone: null, email: null },
    branding: { name: wanted.name, brand: 'classic', url: null, support_email: null, support_phone: null },
    settings: defaultStaffSettings,
    createdAt: now,
    updatedAt: now,
  });
  await em.persist(store).flush();
  return store;
}

export function unknownFeatures(wanted: string[]): string[] {
  const known: readonly string[] = features;
  return wanted
    .filter((feature) => !known.includes(feature))
    .map((feature) => `Feature ${feature} is not known; the features are ${known.join(', ')}`);
}
