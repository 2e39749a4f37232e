import type { StoreDay } from '@touchstone/contract';
import { useMemo, useRef, useState } from 'preact/hooks';
import { hasPart } from '../../ui/page-data.ts';
import { fill } from '../../ui/text.tsx';
import { useCall } from '../loading.ts';
import { Shown } from '../parts/notices.tsx';
import { useFormat, useWords } from '../tools.ts';
import { Chart } from './chart.tsx';
import { coverageSeries, renewalSeries, type Series, verdictSeries } from './series.ts';

const RANGES = ['30', '90', '400'] as const;

/** The history of a store by day: charts, and the same data as tables. */
export function History({ storeId }: { storeId: string }) {
  const { overview: words } = useWords();
  const { number } = useFormat();
  const [range, choose] = useState<(typeof RANGES)[number]>('90');
  const loaded = useCall('getStoreHistory', {
    params: { store_id: storeId },
    query: { days: Number(range) },
  });
  // the previous range stays until the new one has loaded, so that the layout does not shift
  const shown = useRef<readonly StoreDay[]>(undefined);
  shown.current = loaded.value?.days ?? shown.current;
  return (
    <section class="history">
      <div class="section-head">
        <h2>{words.history}</h2>
        <fieldset class="segments">
          <legend class="unseen">{words.range}</legend>
          {RANGES.map((days) => (
            <label key={days}>
              <input type="radio" name="range" checked={days === range} onChange={() => choose(days)} />
              <span>{fill(words.days, { n: number(Number(days)) })}</span>
            </label>
          ))}
        </fieldset>
      </div>
      {shown.current !== undefined && loaded.error === undefined ? (
        <Stories days={shown.current} />
      ) : (
        <Shown of={loaded}>{() => null}</Shown>
      )}
    </section>
  );
}

/** A single day, today, would show the same as the numbers above. */
function Stories({ days }: { days: readonly StoreDay[] }) {
  const { overview: words, pages } = useWords();
  const [coverage, verdicts, renewals] = useMemo(
    () =>
      [coverageSeries(days, words), verdictSeries(days, pages.results), renewalSeries(days, words)] as const,
    [days, words, pages],
  );
  if (days.length < 2) return <p class="hint">{words.noHistory}</p>;
  return (
    <div class="charts">
      <Story
        title={words.coverage}
        hint={words.coverageHint}
        unit={words.coverageUnit}
        none={words.coverageNone}
        days={days}
        series={coverage}
        kind="lines"
      />
      {hasPart('sweeps') ? (
        <Story
          title={words.verdicts}
          hint={words.verdictsHint}
          unit={words.verdictsUnit}
          none={words.verdictsNone}
          days={days}
          series={verdicts}
          kind="lines"
        />
      ) : null}
      <Story
        title={words.renewals}
        hint={words.renewalsHint}
        unit={words.renewalsUnit}
        none={words.renewalsNone}
        days={days}
        series={renewals}
        kind="bars"
      />
    </div>
  );
}

interface StoryProps {
  readonly title: string;
  readonly hint: string;
  readonly unit: string;
  /** Shown if every number is 0. */
  readonly none: string;
  readonly days: readonly StoreDay[];
  readonly series: readonly Series[];
  readonly kind: 'lines' | 'bars';
}

function Story({ title, hint, unit, none, days, series, kind }: StoryProps) {
  const { overview: words } = useWords();
  const { day } = useFormat();
  const [isTable, showTable] = useState(false);
  const label = fill(words.chartLabel, {
    what: title,
    from: day(days[0]?.day ?? ''),
    to: day(days.at(-1)?.day ?? ''),
  });
  const isEmpty = series.every(({ values }) => values.every((value) => value === 0));
  if (isEmpty)
    return (
      <section class="story">
        <h3>{title}</h3>
        <p class="hint">{none}</p>
      </section>
    );
  return (
    <section class="story">
      <div class="section-head">
        <h3>{title}</h3>
        <button type="button" class="button small" aria-pressed={isTable} onClick={() => showTable(!isTable)}>
          {words.asTable}
        </button>
      </div>
      <p class="hint">{hint}</p>
      {isTable ? (
        <DayTable title={title} days={days} series={series} />
      ) : (
        <Chart
          label={label}
          unit={unit}
          days={days}
          series={series}
          kind={kind}
          otherwise={<DayTable title={title} days={days} series={series} />}
        />
      )}
    </section>
  );
}

function DayTable({
  title,
  days,
  series,
}: {
  title: string;
  days: readonly StoreDay[];
  series: readonly Series[];
}) {
  const { overview: words } = useWords();
  const { day, number } = useFormat();
  return (
    // it may overflow, and must then be scrollable by keyboard, too
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must take the focus
    <section class="table-scroll" aria-label={title} tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">{words.day}</th>
            {series.map(({ name }) => (
              <th scope="col" key={name}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {days
            .map((one, index) => (
              <tr key={one.day}>
                <th scope="row">{day(one.day)}</th>
                {series.map(({ name, values }) => (
                  <td key={name}>{number(values[index] ?? 0)}</td>
                ))}
              </tr>
            ))
            .toReversed()}
        </tbody>
      </table>
    </section>
  );
}
