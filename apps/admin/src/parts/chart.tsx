/** Bar charts of plain elements: bars with a scale, and bars as small as a word. Each is an image to a screen reader, so it has a text. */

import { Group, Text } from '@mantine/core';
import { numberText } from '../language/t.ts';

export interface Series {
  name: string;
  /** A colour of the theme. */
  color: 'indigo' | 'orange' | 'red' | 'green';
  values: number[];
}

interface BarsProps {
  /** What the chart says, in words. */
  text: string;
  labels: string[];
  /** Stacked on each other, the first one lowest. */
  series: Series[];
  valueText?: (value: number) => string;
  height: number;
}

const marksMax = 5;
const labelsMax = 6;

export function Bars({ text, labels, series, valueText = (value) => numberText(value), height }: BarsProps) {
  const marks = marksOf(largestSum(series));
  const top = marks.at(-1)!;
  const labelEvery = Math.ceil(labels.length / labelsMax);
  return (
    <div role="img" aria-label={text} className="bars" style={{ height }}>
      {series.length > 1 && (
        <Group justify="flex-end" gap="md">
          {series.map(({ name, color }) => (
            <Text key={name} span size="xs" c="dimmed">
              <span className={`bars-key bars-${color}`} /> {name}
            </Text>
          ))}
        </Group>
      )}
      <div className="bars-plot">
        {marks.map((mark) => (
          <div key={mark} className="bars-mark" style={{ bottom: percent(mark / top) }}>
            <span>{valueText(mark)}</span>
          </div>
        ))}
        <Columns
          series={series}
          top={top}
          titleOf={(at) => `${labels[at]}: ${spoken(series, at, valueText)}`}
          labelOf={(at) => (at % labelEvery === 0 ? labels[at] : undefined)}
        />
      </div>
    </div>
  );
}

type Drawn = Pick<Series, 'color' | 'values'>;

/** Bars without axes, as small as a word. */
export function Spark({ text, series }: { text: string; series: Drawn[] }) {
  return (
    <div role="img" aria-label={text} className="spark">
      <Columns series={series} top={Math.max(1, largestSum(series))} />
    </div>
  );
}

interface ColumnsProps {
  series: Drawn[];
  /** The value of a bar as high as the chart. */
  top: number;
  titleOf?: (at: number) => string;
  labelOf?: (at: number) => string | undefined;
}

function Columns({ series, top, titleOf, labelOf }: ColumnsProps) {
  return series[0]!.values.map((_, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a column is known by its place alone.
    <div key={at} className="bars-column" title={titleOf?.(at)}>
      {series.map(({ color, values }) => (
        <div key={color} className={`bars-bar bars-${color}`} style={{ height: percent(Math.max(0, values[at]!) / top) }} />
      ))}
      {labelOf && <span className="bars-label">{labelOf(at)}</span>}
    </div>
  ));
}

const percent = (share: number): string => `${share * 100}%`;
const largestSum = (series: Drawn[]): number =>
  Math.max(0, ...series[0]!.values.map((_, at) => series.reduce((sum, { values }) => sum + values[at]!, 0)));

function spoken(series: Series[], at: number, valueText: (value: number) => string): string {
  return series.map(({ name, values }) => `${name} ${valueText(values[at]!)}`).join(', ');
}

/** Round values from 0 to `largest` or just above it: 1, 2 or 5 times a power of ten apart. */
function marksOf(largest: number): number[] {
  const least = Math.max(1, largest) / marksMax;
  const power = 10 ** Math.max(0, Math.floor(Math.log10(least)));
  const step = power * [1, 2, 5, 10].find((times) => times * power >= least)!;
  return Array.from({ length: Math.max(1, Math.ceil(largest / step)) + 1 }, (_, n) => n * step);
}
