import type { PageReport } from '@touchstone/contract';
import { useEffect, useRef } from 'preact/hooks';
import { useTexts } from '../../ui/text.tsx';
import { type Standing, State } from '../parts/bits.tsx';
import { Notice } from '../parts/notices.tsx';
import { useWords } from '../tools.ts';

/** What a check of a page came to, in short; the whole report is a page of its own. */
export function PageOutcome({ report }: { report: PageReport }) {
  const { verdicts, report: told } = useTexts();
  const { guide } = useWords();
  const words = guide.pages;
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const { verdict } = report;
  const standing: Standing = verdict === 'verified' ? 'good' : 'bad';
  return (
    <Notice tone={verdict === 'verified' ? 'good' : 'caution'}>
      <h3 ref={heading} tabIndex={-1}>
        <State standing={standing} label={verdicts[verdict].title} />
      </h3>
      {verdict === 'verified' ? null : (
        <p>
          <strong>{words.toFix}</strong> {told.next[verdict]}
        </p>
      )}
      <p>
        <a href={`/api/v1/mc4p/page-checks/${report.id}`}>{words.whole}</a>
      </p>
    </Notice>
  );
}
