import {
  type Acceptance,
  type Accepted,
  acceptor,
  booleanField,
  dateField,
  dateIn,
  digitsOf,
  emailMax,
  externalIdField,
  type FieldErrors,
  isEmail,
  requiredText,
  textField,
} from '@store/input';
import { Problem, sentences } from '@store/problem';
import type { CustomerInput__Output } from '@store/protos/customers/v1.ts';
import type { Caller } from '@store/rpc';

const phoneMax = 50;
const notesMax = 10_000;
const phoneDigitsMin = 7;
const phoneDigitsMax = 15;

const trimmed = (max?: number) => textField(max).transform((text) => text?.trim() ?? null);

const email = () => trimmed(emailMax).refine((text) => text === null || isEmail(text), { error: 'is invalid' });

const phone = () => trimmed(phoneMax).refine((text) => text === null || hasPhoneDigits(text), { error: 'must have 7 to 15 digits' });

function hasPhoneDigits(text: string): boolean {
  const { length } = digitsOf(text);
  return length >= phoneDigitsMin && length <= phoneDigitsMax;
}

/** "Writable fields" (POST /customers). */
const keyFields = {
  name: requiredText().transform((name) => name.trim()),
  email: email(),
  phone: phone(),
  loyalty_card_number: trimmed(),
  email_receipt_opt_in: booleanField(),
  notes: textField(notesMax),
  date_of_birth: dateField(),
  external_id: externalIdField(),
};

/** What only staff write besides (D159); from keys these are ignored. */
const staffFields = {
  address_line1: trimmed(),
  address_line2: trimmed(),
  city: trimmed(),
  province: trimmed(),
  postal_code: trimmed(),
  country: trimmed(),
};

const allFields = { ...keyFields, ...staffFields };
type AllFields = typeof allFields;
export type CustomerValues = Accepted<AllFields>;
export const customerFields = Object.keys(allFields);

/** A unit of work may run twice on one of these, so it changes none of it. */
export interface CustomerAccepted {
  readonly values: Readonly<CustomerValues>;
  readonly errors: Readonly<FieldErrors>;
}

const shape = { wrapper: 'customer', required: ['name' as const] };
const ofKeys = acceptor({ ...shape, fields: keyFields });
const ofStaff = acceptor({ ...shape, fields: allFields });

type Input = CustomerInput__Output | null | undefined;

/** `kind`: a new customer must have a name. */
export function acceptCustomer(kind: 'create' | 'update', input: Input, caller: Caller, now: Date): CustomerAccepted {
  const accept = caller.actor.type === 'user' ? ofStaff : ofKeys;
  const { values, errors } = accept[kind](input) as Acceptance<AllFields>;
  const born = values.date_of_birth;
  if (born && born > dateIn(caller.timeZone, now)) errors.date_of_birth = ["can't be in the future"];
  return { values, errors };
}

/** 422 `{errors: [string]}`, with no error key (POST /customers, 3). */
export function refuseCustomer(errors: FieldErrors): void {
  if (Object.keys(errors).length > 0) throw invalidCustomer(sentences(errors));
}

export function invalidCustomer(errors: string[]): Problem {
  return new Problem('invalid', `Validation failed: ${errors.join(', ')}`, { body: { errors } });
}
