import type { ConclusionLevel } from '@touchstone/certificate';
import type { PageReport } from '@touchstone/contract';
import { useEffect, useRef } from 'preact/hooks';
import { ConclusionText, concernedIn, useHasShopStep } from '../../report/conclusion-texts.tsx';
import { Why } from '../../report/notes-list.tsx';
import { type Standing, State } from '../parts/display.tsx';
import { Notice } from '../parts/notices.tsx';
import { useWords } from '../tools.ts';

const STANDINGS: Readonly<Record<ConclusionLevel, Standing>> = {
  good: 'good',
  caution: 'bad',
  bad: 'bad',
  none: 'open',
};

/** What is concluded from a page check, and what the shop can do; the whole report has its own page. */
export function PageOutcome({ report }: { report: PageReport }) {
  const { guide } = useWords();
  const words = guide.pages;
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const { conclusion } = report;
  const { code, level } = conclusion;
  const about = concernedIn(report);
  return (
    <Notice tone={level === 'good' ? 'good' : level === 'none' ? 'neutral' : 'caution'}>
      <h3 ref={heading} tabIndex={-1} data-conclusion={code}>
        <State
          standing={STANDINGS[level]}
          label={<ConclusionText code={code} part="title" about={about} />}
        />
      </h3>
      <Why errors={report.mc4p.checks === undefined ? report.errors : []} />
      {useHasShopStep(conclusion) ? (
        <p>
          <strong>{words.toFix}</strong> <ConclusionText code={code} part="shop" about={about} />
        </p>
      ) : null}
      <p>
        <a href={`/api/v1/mc4p/page-checks/${report.id}`}>{words.whole}</a>
      </p>
    </Notice>
  );
}
