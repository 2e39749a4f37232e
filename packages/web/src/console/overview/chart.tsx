import type { StoreDay } from '@touchstone/contract';
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { fill } from '../../ui/text.tsx';
import { useFormat, useWords } from '../tools.ts';
import type { Drawn } from './draw.ts';
import type { Series } from './series.ts';

interface ChartProps {
  /** Accessible name. */
  readonly label: string;
  /** What is counted. */
  readonly unit: string;
  /** In chronological order. */
  readonly days: readonly StoreDay[];
  readonly series: readonly Series[];
  readonly kind: 'lines' | 'bars';
  /** Shown if the chart cannot be drawn. */
  readonly otherwise: ComponentChildren;
}

const HEIGHT = 220;

/**
 * A chart of numbers per day, with the numbers of one day as text: the one under the pointer, or chosen by the slider below. The library is
 * loaded only if there is something to draw.
 */
export function Chart({ label, unit, days, series, kind, otherwise }: ChartProps) {
  const { overview: words } = useWords();
  const { locale } = useFormat();
  const place = useRef<HTMLDivElement>(null);
  const drawn = useRef<Drawn>(undefined);
  const [hasFailed, fail] = useState(false);
  const [chosen, choose] = useState(days.length - 1);
  useEffect(() => {
    const element = place.current;
    if (element === null) return;
    let isGone = false;
    choose(days.length - 1);
    import('./draw.ts').then(
      ({ draw }) => {
        if (isGone) return;
        const drawing = { days: days.map(({ day }) => day), series, kind, locale, height: HEIGHT };
        drawn.current = draw(element, { ...drawing, onPoint: choose });
      },
      () => fail(true),
    );
    return () => {
      isGone = true;
      drawn.current?.dispose();
    };
  }, [days, series, kind, locale]);
  useEffect(() => drawn.current?.point(chosen), [chosen]);
  if (hasFailed)
    return (
      <>
        <p class="hint">{words.chartFailed}</p>
        {otherwise}
      </>
    );
  return (
    <figure class="chart" data-kind={kind}>
      <p class="unit">{unit}</p>
      <div ref={place} role="img" aria-label={label} class="chart-place" />
      <OneDay days={days} series={series} chosen={Math.min(chosen, days.length - 1)} choose={choose} />
    </figure>
  );
}

interface OneDayProps {
  readonly days: readonly StoreDay[];
  readonly series: readonly Series[];
  readonly chosen: number;
  readonly choose: (place: number) => void;
}

function OneDay({ days, series, chosen, choose }: OneDayProps) {
  const { overview: words } = useWords();
  const { day: dayOf, number } = useFormat();
  const id = useId();
  const one = days[chosen];
  if (one === undefined) return null;
  const day = one.live === true ? fill(words.soFar, { day: dayOf(one.day) }) : dayOf(one.day);
  const valuesText = series.map(({ name, values }) => `${name}: ${number(values[chosen] ?? 0)}`).join(', ');
  return (
    <>
      <input
        type="range"
        class="chart-day"
        id={id}
        min={0}
        max={days.length - 1}
        value={chosen}
        aria-label={words.day}
        aria-valuetext={`${day}. ${valuesText}`}
        onInput={(event) => choose(Number(event.currentTarget.value))}
      />
      <figcaption>
        <p class="legend-day">{day}</p>
        <ul class="legend">
          {series.map(({ name, dash = [], values }, index) => (
            <li key={name}>
              <svg viewBox="0 0 28 8" aria-hidden="true" focusable="false" data-series={index % 7}>
                <path d="M0 4h28" stroke-dasharray={dash.join(' ')} />
              </svg>
              {name} <strong>{number(values[chosen] ?? 0)}</strong>
            </li>
          ))}
        </ul>
      </figcaption>
    </>
  );
}
