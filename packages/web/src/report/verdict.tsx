import type { ComponentChildren } from 'preact';
import { Fill, Untrusted, useTexts } from '../ui/text.tsx';
import type { Tone, VerdictView } from './verdict-view.ts';

/** The verdict: the shape of its mark, its text and its colour say the same; `children` are shown below. */
export function Verdict({ verdict, children }: { verdict: VerdictView; children?: ComponentChildren }) {
  const { verdicts, report } = useTexts();
  const { name, tone } = verdict;
  const values = valuesOf(verdict);
  const meaning: Readonly<Record<string, string>> = report.meaning;
  const next: Readonly<Record<string, string>> = report.next;
  return (
    <section class="verdict" data-tone={tone} data-verdict={name} aria-labelledby="verdict">
      <VerdictMark tone={tone} />
      <h1 id="verdict" tabIndex={-1}>
        <Fill text={verdicts[name].title} values={values} />
      </h1>
      <div>
        <p class="meaning">
          <Fill text={meaning[name] ?? ''} values={values} />
        </p>
        <p class="next">
          <Fill text={next[name] ?? ''} values={values} />
        </p>
        {children}
      </div>
    </section>
  );
}

/** What the texts of a verdict name. */
export function valuesOf({ site = '', page = '' }: VerdictView) {
  return { site: <Untrusted text={site} />, page: <Untrusted text={page} /> };
}

/** A circle with a tick, an octagon with a cross, a triangle with a bar, a square with a dash. */
export function VerdictMark({ tone }: { tone: Tone }) {
  return (
    <svg class="verdict-mark" viewBox="0 0 48 48" aria-hidden="true" focusable="false" data-tone={tone}>
      <path class="ground" d={GROUNDS[tone]} />
      <path class="sign" d={SIGNS[tone]} />
    </svg>
  );
}

const GROUNDS: Readonly<Record<Tone, string>> = {
  good: 'M24 2a22 22 0 1 1 0 44a22 22 0 1 1 0-44z',
  bad: 'M15 2h18l13 13v18L33 46H15L2 33V15z',
  caution: 'M24 3 47 44H1z',
  neutral: 'M4 4h40v40H4z',
};

const SIGNS: Readonly<Record<Tone, string>> = {
  good: 'm13 25 8 8 15-17',
  bad: 'm15 15 18 18m0-18L15 33',
  caution: 'M24 18v13m0 4.5v3',
  neutral: 'M14 24h20',
};
