/** Charts by Chart.js: bars, and bars as small as a word. Each is an image to a screen reader, so it has a text. */
import { useComputedColorScheme, useMantineTheme } from '@mantine/core';
import { BarController, BarElement, CategoryScale, Chart, Legend, LinearScale, Tooltip } from 'chart.js';
import { useEffect, useRef } from 'react';

Chart.register(BarController, BarElement, CategoryScale, Legend, LinearScale, Tooltip);

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
  series: Series[];
  valueText?: (value: number) => string;
  height: number;
}

const shade = { light: 7, dark: 5 } as const;

function useInk() {
  const { colors } = useMantineTheme();
  const scheme = useComputedColorScheme('light');
  return {
    of: (color: Series['color']) => colors[color][shade[scheme]]!,
    text: scheme === 'light' ? '#545b62' : '#b0b5bb',
    line: scheme === 'light' ? colors.gray[2]! : colors.dark[4]!,
  };
}

export function Bars({ text, labels, series, valueText = (value) => value.toLocaleString('en'), height }: BarsProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const ink = useInk();
  useEffect(() => {
    const chart = new Chart(canvas.current!, {
      type: 'bar',
      data: {
        labels,
        datasets: series.map(({ name, color, values }) => ({
          label: name,
          data: values,
          backgroundColor: ink.of(color),
          borderRadius: 3,
          maxBarThickness: 36,
        })),
      },
      options: {
        animation: false,
        maintainAspectRatio: false,
        interaction: { mode: 'index', intersect: false },
        plugins: {
          legend: { display: series.length > 1, align: 'end', labels: { color: ink.text, boxWidth: 10, boxHeight: 10 } },
          tooltip: { callbacks: { label: ({ dataset, parsed }) => ` ${dataset.label}: ${valueText(parsed.y ?? 0)}` } },
        },
        scales: {
          x: {
            stacked: true,
            grid: { display: false },
            border: { color: ink.line },
            ticks: { color: ink.text, maxRotation: 0, autoSkipPadding: 12 },
          },
          y: {
            stacked: true,
            beginAtZero: true,
            border: { display: false },
            grid: { color: ink.line },
            ticks: { color: ink.text, precision: 0, maxTicksLimit: 6, callback: (value) => valueText(Number(value)) },
          },
        },
      },
    });
    return () => chart.destroy();
  });
  return (
    <div style={{ height, position: 'relative' }}>
      <canvas ref={canvas} role="img" aria-label={text} />
    </div>
  );
}

interface SparkProps {
  text: string;
  series: Pick<Series, 'color' | 'values'>[];
}

const [sparkWidth, sparkHeight] = [76, 24];

/** Bars without axes, as small as a word. */
export function Spark({ text, series }: SparkProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const ink = useInk();
  useEffect(() => {
    const hidden = { stacked: true, display: false };
    const chart = new Chart(canvas.current!, {
      type: 'bar',
      data: {
        labels: series[0]!.values.map(String),
        datasets: series.map(({ color, values }) => ({
          data: values,
          backgroundColor: ink.of(color),
          barPercentage: 1,
          categoryPercentage: 0.8,
        })),
      },
      options: {
        animation: false,
        responsive: false,
        events: [],
        plugins: { legend: { display: false }, tooltip: { enabled: false } },
        scales: { x: hidden, y: { ...hidden, beginAtZero: true } },
      },
    });
    return () => chart.destroy();
  });
  return <canvas ref={canvas} width={sparkWidth} height={sparkHeight} className="spark" role="img" aria-label={text} />;
}
