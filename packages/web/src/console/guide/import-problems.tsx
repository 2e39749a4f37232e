import { parseNote } from '../../report/notes.ts';
import { Fill, fill, Untrusted, useSetting } from '../../ui/text.tsx';
import { Notice } from '../parts/notices.tsx';
import { CodeSentence } from '../parts/reason.tsx';
import { useFormat, useWords } from '../tools.ts';
import type { RowProblem } from './import-file.ts';
import { parseRowReason } from './row-reason.ts';

/** Why an import failed, or is retried. */
export function ImportFailure({ failure: { code, detail } }: { failure: { code: string; detail: string } }) {
  const { texts, known, language } = useSetting();
  if (language === 'en')
    return (
      <p>
        <Untrusted text={detail} />
      </p>
    );
  const { detail: value } = parseNote(`${code}: ${detail}`, known);
  const sentences = { ...texts.faults, ...texts.sourceErrors };
  return (
    <p>
      <CodeSentence code={code} sentences={sentences} value={value} said={detail} />
    </p>
  );
}

/** Rows that were not imported, grouped by problem, with the reason. */
export function RowProblems({ problems, failed }: { problems: readonly RowProblem[]; failed: number }) {
  const { guide } = useWords();
  const words = guide.products;
  const { count, number } = useFormat();
  if (problems.length === 0) return null;
  return (
    <Notice tone="caution" title={count(words.problems, failed)}>
      <ul>
        {problems.map(({ kind, count: times, example }, index) => (
          <li key={index}>
            <Fill
              text={words.problem}
              values={{
                count: number(times),
                reason: <WhyNotIn kind={kind} reason={example.reason} />,
              }}
            />{' '}
            <span class="hint">
              <Untrusted
                text={fill(words.example, { id: example.externalProductId ?? '–', row: example.row })}
              />
            </span>
          </li>
        ))}
      </ul>
    </Notice>
  );
}

/** In English, the service's own text, which is more exact than the sentence of the code. */
function WhyNotIn({ kind, reason }: { kind: string; reason: string }) {
  const { texts, known, language } = useSetting();
  if (language === 'en') return <Untrusted text={reason} />;
  const sentences = { ...texts.rowProblems, ...texts.rowFaults };
  return <CodeSentence {...parseRowReason(kind, reason, known)} sentences={sentences} said={reason} />;
}
