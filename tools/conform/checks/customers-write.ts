/** Customers, written. Those that are kept for a while need a staff login, which archives them. */
import { areaOf } from '../check.ts';
import type { Kit } from '../kit.ts';
import { newCustomer, customerScopes as scopes } from '../made.ts';
import { same } from '../outcome.ts';

const { write, staffWrite } = areaOf('customers-write');

const post = (kit: Kit, body: object) => kit.send('POST', '/customers', { body });
let numbers = 0;
/** Ten digits that no other customer has. */
const newPhone = () => `555${String(Date.now() % 1_000_000).padStart(6, '0')}${numbers++ % 10}`;
const newEmail = (kit: Kit) => `${kit.unique()}@conform.example`;

const invalid: [object, string[]][] = [
  [{ email: 'a@conform.example' }, ["Name can't be blank"]],
  [{ name: 'x', email: 'nobody' }, ['Email is invalid']],
  [{ name: 'x', date_of_birth: '2999-01-01' }, ["Date of birth can't be in the future"]],
];

export const customerWriteChecks = [
  ...[{}, { customer: {} }, { name: 'x' }].map((body) =>
    write(
      `POST /customers ${JSON.stringify(body)}`,
      'A missing customer object is 400 "param is missing or the value is empty: customer".',
      ['customers:write'],
      async (kit) => {
        const answer = await post(kit, body);
        same('the answer', [answer.status, answer.body], [400, { error: 'param is missing or the value is empty: customer' }]);
      },
    ),
  ),
  ...invalid.map(([customer, errors]) =>
    write(
      `POST /customers ${JSON.stringify(customer)}`,
      'A failed validation of customers is 422 with errors alone, without error.',
      ['customers:write'],
      async (kit) => {
        const answer = await post(kit, { customer });
        same('the answer', [answer.status, answer.body], [422, { errors }]);
      },
    ),
  ),
  staffWrite(
    'POST /customers',
    'A new customer is 201 with the full record; the next read and the lookup show it.',
    scopes,
    async (kit) => {
      const made = await newCustomer(kit, { email: newEmail(kit) });
      const [read, found] = [
        await kit.send('GET', `/customers/${made.id}`),
        await kit.send('GET', `/customers/lookup_by_code/${made.customer_code}`),
      ];
      same('names and lookup', [read.body?.data?.name, found.body?.data], [made.name, made]);
    },
  ),
  staffWrite(
    'POST /customers',
    'With the same e-mail, in any case, nothing is created: 200 with customer, duplicate and message.',
    scopes,
    async (kit) => {
      const email = newEmail(kit);
      const made = await newCustomer(kit, { email });
      const { status, body } = await post(kit, { customer: { name: 'Other', email: email.toUpperCase() } });
      same(
        'the answer',
        [status, Object.keys(body.data), body.data.customer, body.data.duplicate],
        [200, ['customer', 'duplicate', 'message'], made, true],
      );
    },
  ),
  staffWrite(
    'POST /customers',
    'With the same phone by its digits nothing is created; an e-mail that the customer lacked is saved.',
    scopes,
    async (kit) => {
      const phone = newPhone();
      const made = await newCustomer(kit, { phone });
      const email = newEmail(kit);
      const written = phone.replace(/^(...)(...)/, '$1-$2 ');
      const { body } = await post(kit, { customer: { name: 'Other', phone: written, email } });
      same(
        'id, name and e-mail',
        [body.data.customer?.id, body.data.customer?.name, body.data.customer?.email],
        [made.id, made.name, email],
      );
      const again = await post(kit, { customer: { name: 'Other', phone, email: newEmail(kit) } });
      same('the e-mail after another', again.body.data.customer?.email, email);
    },
  ),
  staffWrite('POST /customers', 'With force_create true beside customer the record is created anyway.', scopes, async (kit) => {
    const made = await newCustomer(kit, { phone: newPhone() });
    const forced = await post(kit, { customer: { name: 'Conformance twin', phone: made.phone }, force_create: true });
    same('the status', forced.status, 201);
    await kit.staff.send('DELETE', `/customers/${forced.body.data.id}`);
  }),
  ...['PATCH', 'PUT'].map((method) =>
    staffWrite(
      `${method} /customers/:id`,
      `${method} changes what is sent, keeps the rest, and answers the full record.`,
      scopes,
      async (kit) => {
        const made = await newCustomer(kit, { notes: 'kept' });
        const { status, body } = await kit.send(method, `/customers/${made.id}`, { body: { customer: { name: 'Conformance renamed' } } });
        same(
          'the answer',
          [status, body?.data?.name, body?.data?.notes, body?.data?.customer_code],
          [200, 'Conformance renamed', 'kept', made.customer_code],
        );
      },
    ),
  ),
  staffWrite('PATCH /customers/:id', 'A blank removes a value.', scopes, async (kit) => {
    const made = await newCustomer(kit, { notes: 'gone' });
    const { body } = await kit.send('PATCH', `/customers/${made.id}`, { body: { customer: { notes: '' } } });
    same('notes is there', 'notes' in body.data, false);
  }),
  staffWrite('GET /customers/lookup_by_card/:card_number', 'A lookup finds a customer by the loyalty card.', scopes, async (kit) => {
    const made = await newCustomer(kit, { loyalty_card_number: kit.unique() });
    const { body } = await kit.send('GET', `/customers/lookup_by_card/${made.loyalty_card_number}`);
    same('its id', body?.data?.id, made.id);
  }),
  staffWrite('GET /customers/:id', 'An archived customer is 404 "Customer not found" and in no list.', scopes, async (kit) => {
    const made = await newCustomer(kit, { email: newEmail(kit) });
    await kit.staff.send('DELETE', `/customers/${made.id}`);
    const [one, list] = [await kit.send('GET', `/customers/${made.id}`), await kit.send('GET', `/customers?q=${made.email}`)];
    same('the answers', [one.status, one.body, list.body?.data], [404, { error: 'Customer not found' }, []]);
  }),
  staffWrite('POST /customers', 'A new customer leads the list, which is most recently updated first.', scopes, async (kit) => {
    const made = await newCustomer(kit);
    const { body } = await kit.send('GET', '/customers?per_page=5');
    // Another till may have been faster.
    same(
      'it is among the first',
      body.data.some(({ id }: { id: number }) => id === made.id),
      true,
    );
  }),
];
