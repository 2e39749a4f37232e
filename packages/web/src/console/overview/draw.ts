import uPlot from 'uplot';
import type { Series } from './series.ts';

interface Drawing {
  /** Days in UTC, in chronological order; there may be gaps. */
  readonly days: readonly string[];
  readonly series: readonly Series[];
  readonly kind: 'lines' | 'bars';
  /** A language tag (BCP 47). */
  readonly locale: string;
  readonly height: number;
  /** Called with the index of the day under the pointer. */
  readonly onPoint: (place: number) => void;
}

export interface Drawn {
  /** Marks a day, by its index. */
  point(place: number): void;
  dispose(): void;
}

const DAY = 86_400;
/** Maximum days for which each value is drawn as a point. */
const FEW = 15;

/** Draws into an element, and redraws when its width or the colour scheme changes. */
export function draw(element: HTMLElement, drawing: Drawing): Drawn {
  const { days, height } = drawing;
  const times = timesOf(days);
  const data = dataOf(drawing, times);
  const places = new Map(days.map((day, place) => [secondsOf(day), place]));
  let chart: uPlot | undefined;
  let pointed = days.length - 1;
  const mark = () => {
    const left = chart?.valToPos(secondsOf(days[pointed] ?? ''), 'x');
    if (left !== undefined) chart?.setCursor({ left, top: 0 }, false);
  };
  const paint = () => {
    chart?.destroy();
    chart = new uPlot(options(element, drawing), data, element);
    chart.over.addEventListener('mousemove', () => {
      const place = places.get(times[chart?.cursor.idx ?? -1] ?? 0);
      if (place !== undefined) drawing.onPoint(place);
    });
    chart.over.addEventListener('mouseleave', mark);
    mark();
  };
  paint();
  const width = new ResizeObserver(() => {
    chart?.setSize({ width: element.clientWidth, height });
    mark();
  });
  width.observe(element);
  const scheme = matchMedia('(prefers-color-scheme: dark)');
  scheme.addEventListener('change', paint);
  return {
    point(place) {
      pointed = place;
      mark();
    },
    dispose() {
      width.disconnect();
      scheme.removeEventListener('change', paint);
      chart?.destroy();
    },
  };
}

const secondsOf = (day: string): number => Date.parse(day) / 1000;

/** Every day from the first to the last. */
function timesOf(days: readonly string[]): number[] {
  const first = secondsOf(days[0] ?? '');
  const length = Math.round((secondsOf(days.at(-1) ?? '') - first) / DAY) + 1;
  return Array.from({ length }, (_, nth) => first + nth * DAY);
}

/** A value for each day; `null` if unknown. Bars are stacked. */
function dataOf({ days, series, kind }: Drawing, times: number[]): uPlot.AlignedData {
  const places = new Map(days.map((day, place) => [secondsOf(day), place]));
  const valueAt = (nth: number, time: number) => {
    const place = places.get(time);
    if (place === undefined) return null;
    const summed = kind === 'bars' ? series.slice(nth) : series.slice(nth, nth + 1);
    return summed.reduce((sum, { values }) => sum + (values[place] ?? 0), 0);
  };
  return [times, ...series.map((_, nth) => times.map((time) => valueAt(nth, time)))];
}

function options(element: HTMLElement, { days, series, kind, locale, height }: Drawing): uPlot.Options {
  const style = getComputedStyle(element);
  const colour = (name: string) => style.getPropertyValue(name).trim() || 'currentColor';
  const isLong = days.length > 200;
  const day = new Intl.DateTimeFormat(locale, {
    ...(isLong ? { year: '2-digit' } : { day: 'numeric' }),
    month: 'short',
    timeZone: 'UTC',
  });
  const number = new Intl.NumberFormat(locale, { notation: 'compact' });
  const axis = {
    stroke: colour('--chart-text'),
    grid: { stroke: colour('--chart-grid'), width: 1 },
    ticks: { show: false },
    font: `12px ${style.fontFamily}`,
  };
  const drawn = (index: number): Partial<uPlot.Series> =>
    kind === 'bars'
      ? {
          fill: colour(`--chart-${index}`),
          width: 0,
          paths: uPlot.paths.bars?.({ size: [0.7, 28] }) ?? (() => null),
          points: { show: false },
        }
      : { width: 2, points: { show: days.length <= FEW, size: 6, fill: colour(`--chart-${index}`) } };
  return {
    width: element.clientWidth,
    height,
    padding: [8, EDGE, 0, 0],
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false }, points: { show: kind === 'lines', size: 8 } },
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC'),
    scales: {
      // a margin of about half a day on either side, so that bars are not cut off
      x: { range: (_, least, most) => [least - DAY * 0.6, most + DAY * 0.6] },
      y: { range: (_, __, most) => [0, Math.max(1, (most ?? 0) * 1.08)] },
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        values: (_, ticks) => ticks.map((seconds) => day.format(seconds * 1000)),
        size: 28,
        incrs: [1, 2, 7, 14, 28, 61, 92, 183].map((n) => n * DAY),
        space: 64,
      },
      {
        ...axis,
        values: (_, ticks) => ticks.map((value) => (Number.isInteger(value) ? number.format(value) : '')),
        size: AXIS,
        space: 36,
      },
    ],
    series: [
      {},
      ...series.map(({ name, dash }, index) => ({
        label: name,
        stroke: colour(`--chart-${index % 7}`),
        ...(dash === undefined || kind === 'bars' ? {} : { dash: [...dash] }),
        ...drawn(index % 7),
      })),
    ],
  };
}

/** Width of the vertical axis in pixels; the style sheet aligns the controls below the chart with it. */
const AXIS = 44;
/** Right padding in pixels: room for half the last day. */
const EDGE = 24;
