import type { PageReport } from '@touchstone/contract';
import { useEffect, useRef } from 'preact/hooks';
import { Why } from '../../report/notes-list.tsx';
import { valuesOf } from '../../report/verdict.tsx';
import { verdictOfReport, whyOf } from '../../report/verdict-view.ts';
import { Fill, useTexts } from '../../ui/text.tsx';
import { type Standing, State } from '../parts/display.tsx';
import { Notice } from '../parts/notices.tsx';
import { useWords } from '../tools.ts';

/** A summary of a page check; the whole report has its own page. */
export function PageOutcome({ report }: { report: PageReport }) {
  const { verdicts, report: reportWords } = useTexts();
  const { guide } = useWords();
  const words = guide.pages;
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const verdict = verdictOfReport(report);
  const { name } = verdict;
  const values = valuesOf(verdict);
  const isGood = name === 'verified';
  const standing: Standing = isGood ? 'good' : 'bad';
  // texts for the operator of the shop
  const next: Readonly<Record<string, string>> = {
    ...reportWords.next,
    another_site: reportWords.checks.next.boundToDomain,
    another_page: reportWords.checks.next.boundToUrl,
  };
  return (
    <Notice tone={isGood ? 'good' : 'caution'}>
      <h3 ref={heading} tabIndex={-1}>
        <State standing={standing} label={<Fill text={verdicts[name].title} values={values} />} />
      </h3>
      <Why errors={whyOf(report)} />
      {isGood ? null : (
        <p>
          <strong>{words.toFix}</strong> <Fill text={next[name] ?? ''} values={values} />
        </p>
      )}
      <p>
        <a href={`/api/v1/mc4p/page-checks/${report.id}`}>{words.whole}</a>
      </p>
    </Notice>
  );
}
