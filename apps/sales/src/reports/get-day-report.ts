import { dateField, dateIn, filled, parseFields, refuseErrors, shortened } from '@store/input';
import { invalid, missing } from '@store/problem';
import type { DayDrawers } from '@store/protos/sales/v1.ts';
import type { Call } from '@store/rpc';
import { cutList } from '@store/service';
import { movementView } from '../cash-drawer-sessions/cash-drawer-movement.ts';
import { cashDrawerSessionView } from '../cash-drawer-sessions/cash-drawer-session.view.ts';
import { closedDrawers, type DrawerTotals, drawerMovements, drawerTotals } from '../cash-drawer-sessions/drawers-of-day.ts';
import { type DateWindow, dayWindow } from '../sales/date-window.ts';
import type { Sales, Verb } from '../sales.ts';
import { daySumsStatement, type SummedDay } from './day-sums.ts';

const fields = { date: filled(dateField()) };
/** A store with more drawers than this in a day has them cut, and the header says so. */
const drawersMax = 500;

/** GET /reports/day: a day's end in the store's time zone (D266). */
export const getDayReport: Verb<'GetDayReport'> = async (app, request, call) => {
  const { storeId, timeZone } = call.caller;
  const date = acceptedDate(request.date, dateIn(timeZone, app.db.clock.now()));
  const window = dayWindow(date, timeZone);
  const { from, to } = window;
  const [[day], { drawers, isCut }, credits] = await Promise.all([
    app.db.read<SummedDay>(daySumsStatement, [storeId, from, to]),
    drawersOf(app, call, window),
    app.customers.SumStoreCredit({ from: from.toISOString(), to: to.toISOString() }, call),
  ]);
  const { taxes, ...sums } = day!;
  const report = {
    ...sums,
    date,
    time_zone: timeZone,
    from: from.toISOString(),
    to: to.toISOString(),
    taxes: taxes.map((tax) => ({ ...tax, rate: shortened(tax.rate) })),
    drawers,
    store_credits: credits.sums ?? [],
  };
  return cutList(report, isCut);
};

/** A day that has not begun is not reported as one without sales. */
function acceptedDate(sent: string | undefined, today: string): string {
  if (sent === undefined || sent.trim() === '') throw missing('date');
  const { values, errors } = parseFields(fields, { date: sent });
  refuseErrors(errors);
  const date = values.date!;
  if (date > today) throw invalid([`Date must not be after today, ${today}`]);
  return date;
}

async function drawersOf(app: Sales, { caller }: Call, window: DateWindow): Promise<{ drawers: DayDrawers; isCut: boolean }> {
  const { storeId } = caller;
  const [rows, moved, [totals]] = await Promise.all([
    app.db.read(closedDrawers(storeId, window, drawersMax + 1)),
    app.db.read(drawerMovements(storeId, window, drawersMax + 1)),
    app.db.read<DrawerTotals>(drawerTotals, [storeId, window.from, window.to]),
  ]);
  const closed = rows.slice(0, drawersMax).map((row) => cashDrawerSessionView(caller, row, row.expected!));
  const movements = moved.slice(0, drawersMax).map(movementView);
  return { drawers: { closed, ...totals!, movements }, isCut: rows.length > drawersMax || moved.length > drawersMax };
}
