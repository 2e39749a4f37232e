import uPlot from 'uplot';
import type { Series } from './series.ts';

interface Drawing {
  readonly days: readonly string[];
  readonly series: readonly Series[];
  readonly language: string;
  readonly height: number;
}

/** Draws into an element, again when its width or the reader's colours change; answers how to take it away. */
export function draw(element: HTMLElement, { days, series, language, height }: Drawing): () => void {
  let chart: uPlot | undefined;
  const times = days.map((day) => Date.parse(day) / 1000);
  const paint = () => {
    chart?.destroy();
    const data: uPlot.AlignedData = [times, ...series.map(({ values }) => [...values])];
    chart = new uPlot(options(element, series, language, height), data, element);
  };
  paint();
  const width = new ResizeObserver(() => chart?.setSize({ width: element.clientWidth, height }));
  width.observe(element);
  const scheme = matchMedia('(prefers-color-scheme: dark)');
  scheme.addEventListener('change', paint);
  return () => {
    width.disconnect();
    scheme.removeEventListener('change', paint);
    chart?.destroy();
  };
}

function options(
  element: HTMLElement,
  series: readonly Series[],
  language: string,
  height: number,
): uPlot.Options {
  const style = getComputedStyle(element);
  const colour = (name: string) => style.getPropertyValue(name).trim() || 'currentColor';
  const day = new Intl.DateTimeFormat(language, { day: 'numeric', month: 'short', timeZone: 'UTC' });
  const number = new Intl.NumberFormat(language, { notation: 'compact' });
  const axis = {
    stroke: colour('--chart-text'),
    grid: { stroke: colour('--chart-grid'), width: 1 },
    ticks: { show: false },
    font: `12px ${style.fontFamily}`,
  };
  return {
    width: element.clientWidth,
    height,
    legend: { show: false },
    cursor: { show: false },
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC'),
    scales: { y: { range: (_, __, most) => [0, Math.max(1, most * 1.08)] } },
    axes: [
      { ...axis, values: (_, ticks) => ticks.map((seconds) => day.format(seconds * 1000)), space: 64 },
      {
        ...axis,
        values: (_, ticks) => ticks.map((value) => (Number.isInteger(value) ? number.format(value) : '')),
        size: 44,
      },
    ],
    series: [
      {},
      ...series.map(({ name, dash }, index) => ({
        label: name,
        stroke: colour(`--chart-${index % 7}`),
        width: 2,
        points: { show: false },
        ...(dash === undefined ? {} : { dash: [...dash] }),
      })),
    ],
  };
}
