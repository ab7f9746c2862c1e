import { numberText, t } from '../language/t.ts';
import { Amount } from '../parts/amount.tsx';
import { DataTable } from '../parts/data-table.tsx';
import { Empty } from '../parts/states.tsx';

export interface FigureRow {
  name: string;
  /** Under each heading: money is text, a count is a number. */
  amounts: (string | number)[];
}

interface FiguresProps {
  label: string;
  /** What the rows are. */
  of: string;
  heads: string[];
  rows: FigureRow[];
}

/** Sums by name. */
export function Figures({ label, of, heads, rows }: FiguresProps) {
  return (
    <DataTable
      label={label}
      rows={rows}
      rowId={({ name }) => name}
      empty={<Empty title={t('None on this day')} />}
      columns={[
        { id: 'name', header: of, cell: ({ name }) => name },
        ...heads.map((header, n) => ({
          id: header,
          header,
          align: 'right' as const,
          cell: ({ amounts }: FigureRow) => {
            const amount = amounts[n];
            return typeof amount === 'number' ? numberText(amount) : <Amount of={amount} />;
          },
        })),
      ]}
    />
  );
}
