/** Cash drawers (D239): one open per clerk, and what each should hold. */
import { expect, test } from '@jest/globals';
import type { Json } from '@store/testbed';
import { clerk, clerkOf, manager, paid, sales, sell, shareSales, store } from '../../test/sales-under-test.ts';

shareSales({}, { price: '4.00' });

const sam = () => clerkOf(store, { actor: { userId: 8, userName: 'Sam Hill' } });
const open = async (caller = clerk, opening_float: unknown = '100.00') =>
  (await sales.body('OpenCashDrawerSession', { opening_float }, caller)).cash_drawer_session;
const close = async (id: number | string, counted: unknown, caller = clerk) =>
  (await sales.body('CloseCashDrawerSession', { counted }, caller, { id })).cash_drawer_session;
const list = async (query = '', caller = manager) => (await sales.query('ListCashDrawerSessions', query, caller)).cash_drawer_sessions;

test('golden: a session has exactly these keys, in this order', async () => {
  const { text } = await sales.answer('OpenCashDrawerSession', { opening_float: 100 }, clerk);
  const { id, opened_at } = JSON.parse(text).cash_drawer_session;
  const common = '"clerk":{"id":7,"name":"Cleo Clerk"},"opening_float":"100.00"';
  expect(text).toBe(
    `{"cash_drawer_session":{"id":${id},"status":"open",${common},"expected":null,"counted":null,"difference":null,` +
      `"opened_at":"${opened_at}","closed_at":null}}`,
  );
  const closed = await sales.answer('CloseCashDrawerSession', { counted: '99.5' }, clerk, { id });
  expect(closed.text).toBe(
    `{"cash_drawer_session":{"id":${id},"status":"closed",${common},"expected":"100.00","counted":"99.50","difference":"-0.50",` +
      `"opened_at":"${opened_at}","closed_at":"${opened_at}"}}`,
  );
});

test('expected = float + cash of its sales − cash of those voided before it is closed', async () => {
  const { id } = await open();
  const first = await sell();
  await sell({ payments: paid(['cash', 1], ['debit', 3]) });
  await sell({ payment_method: 'debit' });
  await sell({ status: 'pending' });
  const gone = await sell();
  await sales.update(gone.id, { status: 'voided' });
  expect((await list())[0]).toMatchObject({ id, status: 'open', expected: '105.00' });
  expect(await close(id, '104.00')).toMatchObject({ expected: '105.00', difference: '-1.00' });
  await sales.update(first.id, { status: 'voided' });
  expect((await list())[0]).toMatchObject({ status: 'closed', expected: '105.00' });
});

test('a clerk has one open session, of several at once too; another clerk has his own', async () => {
  const answers = await Promise.allSettled([open(), open(), open()]);
  expect(answers.filter((answer) => answer.status === 'fulfilled')).toHaveLength(1);
  expect(await sales.refused(open())).toEqual(['A cash drawer session is already open']);
  await open(sam());
  await open(clerkOf(store + 1_000));
  const clerks = async (query = '') => (await list(query)).map((session: Json) => session.clerk.name);
  expect(await clerks()).toEqual(['Sam Hill', 'Cleo Clerk']);
  await close((await list())[1].id, 100);
  await open();
  expect(await clerks('status=open')).toEqual(['Cleo Clerk', 'Sam Hill']);
  expect(await list('status=closed')).toHaveLength(1);
  expect(await list('status=lost')).toHaveLength(3);
});

test("a sale goes to the session it names, else to the clerk's open one, else to none", async () => {
  const text = 'select cash_drawer_session_id as drawer from sales.sales where store_id = $1 and id = $2';
  const drawerOf = async (id: number) => (await sales.run<{ drawer: number | null }>(text, [store, id]))[0]!.drawer;
  const without = await sell();
  expect(await drawerOf(without.id)).toBeNull();
  const { id } = await open();
  expect(await drawerOf((await sell()).id)).toBe(id);
  expect(await drawerOf((await sell({ cash_drawer_session_id: null })).id)).toBeNull();
  const other = await open(sam());
  expect(await drawerOf((await sell({ cash_drawer_session_id: other.id }, manager)).id)).toBe(other.id);
  const passedOn = await sell({ status: 'pending' }, sam());
  await sales.update(passedOn.id, { status: 'completed' });
  expect(await drawerOf(passedOn.id)).toBe(id);
  const parked = await sell({ status: 'pending' });
  await close(id, 0);
  const again = await open();
  await sales.update(parked.id, { status: 'completed' });
  expect(await drawerOf(parked.id)).toBe(again.id);
  expect(await sales.refused(sell({ cash_drawer_session_id: id }))).toEqual(['Cash drawer session is closed']);
});

test('D271: a clerk has his own drawer alone, and counts before he sees the expected', async () => {
  const mine = await open();
  const theirs = await open(sam());
  expect(await list('', clerk)).toMatchObject([{ id: mine.id, expected: null }]);
  expect(await list()).toMatchObject([theirs, mine].map(({ id }) => ({ id, expected: '100.00' })));
  expect(await sales.refusal(close(theirs.id, 0))).toEqual({ status: 403, error: 'Your role does not allow this action' });
  expect(await sales.refused(sell({ cash_drawer_session_id: theirs.id }))).toEqual(["Cash drawer session is another clerk's"]);
  expect(await close(theirs.id, 90, manager)).toMatchObject({ status: 'closed', difference: '-10.00' });
  expect(await close(mine.id, 100)).toMatchObject({ expected: '100.00', difference: '0.00' });
});

test('D271: a sale that was completed before the drawer was opened is in none', async () => {
  const { id } = await open();
  const past = { completed_at: '2026-10-20T12:00:00Z' };
  await sell(past);
  const parked = await sell({ status: 'pending' });
  await sales.update(parked.id, { status: 'completed', ...past });
  expect(await sales.refused(sell({ ...past, cash_drawer_session_id: id }))).toEqual([
    'Cash drawer session was opened after the sale was completed',
  ]);
  expect(await close(id, 100)).toMatchObject({ expected: '100.00' });
});

test('D271: voided cash of a closed drawer comes from the drawer of who voids it', async () => {
  const { id } = await open();
  const [first, second, third] = [await sell(), await sell(), await sell({ payment_method: 'debit' })];
  expect(await close(id, 108)).toMatchObject({ expected: '108.00' });
  await sales.update(first.id, { status: 'voided' });
  const next = await open();
  await sales.update(second.id, { status: 'voided' });
  await sales.update(third.id, { status: 'voided' });
  await sell();
  expect(await list()).toMatchObject([
    { id: next.id, expected: '100.00' },
    { id, expected: '108.00' },
  ]);
  expect(await close(next.id, 100)).toMatchObject({ expected: '100.00', difference: '0.00' });
});

test('D271: voided cash of a sale in no drawer comes from that of who voids it', async () => {
  const [cash, debit] = [await sell(), await sell({ payment_method: 'debit' })];
  const { id } = await open();
  for (const sale of [cash, debit]) await sales.update(sale.id, { status: 'voided' });
  expect(await close(id, 96)).toMatchObject({ expected: '96.00', difference: '0.00' });
});

const move = async (id: number | string, amount: unknown, reason = 'Milk', caller = clerk) =>
  sales.body('MoveDrawerCash', { amount, reason }, caller, { id });

test('D271: cash that is put in or taken out counts in what the drawer should hold', async () => {
  const { id } = await open();
  await sell();
  const moved = await move(id, '-12.5');
  expect(moved.movement).toMatchObject({ cash_drawer_session_id: id, amount: '-12.50', reason: 'Milk', user_name: 'Cleo Clerk' });
  expect(moved.cash_drawer_session).toMatchObject({ id, status: 'open', expected: null });
  const byManager = await move(id, 50, 'Change from the bank', manager);
  expect(byManager.cash_drawer_session).toMatchObject({ expected: '141.50' });
  expect((await list())[0]).toMatchObject({ expected: '141.50' });
  expect(await sales.refusal(move(id, 1, 'Mine', sam()))).toEqual({ status: 403, error: 'Your role does not allow this action' });
  expect(await close(id, '141.50')).toMatchObject({ expected: '141.50', difference: '0.00' });
  expect(await sales.refused(move(id, 1))).toEqual(['The cash drawer session is closed']);
});

test('a movement without reason, of nothing or too much, and a second close: refused', async () => {
  const { id } = await open();
  for (const [amount, reason, error] of [
    [1, '', "Reason can't be blank"],
    [0, 'Nothing', 'Amount must be other than 0'],
    ['much', 'Text', 'Amount is not a number'],
    ['999999999999.99', 'All the money', 'Amount is too large'],
  ])
    expect(await sales.refused(move(id, amount, reason as string))).toEqual([error]);
  expect((await sales.refusal(sales.body('MoveDrawerCash', { reason: 'x' }, clerk, { id }))).status).toBe(400);
  expect(await close(id, 100)).toMatchObject({ expected: '100.00' });
  expect(await sales.refused(close(id, 1))).toEqual(['The cash drawer session is closed']);
});

test('a session closed while sales are recorded counts each of them or refuses it', async () => {
  const { id } = await open();
  const sales = Array.from({ length: 20 }, () => sell({ cash_drawer_session_id: id }));
  const closing = close(id, 0);
  const recorded = (await Promise.allSettled(sales)).filter((answer) => answer.status === 'fulfilled').length;
  expect((await closing).expected).toBe((100 + recorded * 4).toFixed(2));
});
