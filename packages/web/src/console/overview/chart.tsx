import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useFormat, useWords } from '../tools.ts';
import type { Series } from './series.ts';

interface ChartProps {
  /** What a picture of it would be called. */
  readonly label: string;
  /** Days of UTC, in their order. */
  readonly days: readonly string[];
  readonly series: readonly Series[];
  /** Shown where the chart cannot be. */
  readonly otherwise: ComponentChildren;
}

const HEIGHT = 220;

/** Lines over days. The library comes only when there is something to draw. */
export function Chart({ label, days, series, otherwise }: ChartProps) {
  const { overview: words } = useWords();
  const { language } = useFormat();
  const place = useRef<HTMLDivElement>(null);
  const [hasFailed, fail] = useState(false);
  useEffect(() => {
    const element = place.current;
    if (element === null) return;
    let dispose: (() => void) | undefined;
    let isGone = false;
    import('./draw.ts').then(
      ({ draw }) => {
        if (!isGone) dispose = draw(element, { days, series, language, height: HEIGHT });
      },
      () => fail(true),
    );
    return () => {
      isGone = true;
      dispose?.();
    };
  }, [days, series, language]);
  if (hasFailed)
    return (
      <>
        <p class="hint">{words.chartFailed}</p>
        {otherwise}
      </>
    );
  return (
    <figure class="chart">
      <div ref={place} role="img" aria-label={label} class="chart-place" />
      <figcaption>
        <ul class="legend">
          {series.map(({ name, dash = [] }, index) => (
            <li key={name}>
              <svg viewBox="0 0 28 8" aria-hidden="true" focusable="false" data-series={index % 7}>
                <path d="M0 4h28" stroke-dasharray={dash.join(' ')} />
              </svg>
              {name}
            </li>
          ))}
        </ul>
      </figcaption>
    </figure>
  );
}
