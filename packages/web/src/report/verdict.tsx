import type { Conclusion } from '@touchstone/certificate';
import type { ComponentChildren } from 'preact';
import { Fill, useTexts } from '../ui/text.tsx';
import { type Concerned, ConclusionText, TONE_OF, type Tone, useHasShopStep } from './conclusion-texts.tsx';

interface VerdictProps {
  readonly conclusion: Conclusion;
  /** Of the specification: for programs that read the page, such as tests. */
  readonly verdict: string;
  readonly about: Concerned;
  readonly children?: ComponentChildren;
}

/** What is concluded: the shape of its mark, its text and its colour say the same; `children` are shown below. */
export function Verdict({ conclusion, verdict, about, children }: VerdictProps) {
  const { report: words } = useTexts();
  const { code, level } = conclusion;
  const tone = TONE_OF[level];
  const text = (part: 'title' | 'meaning' | 'next' | 'shop') => (
    <ConclusionText code={code} part={part} about={about} />
  );
  return (
    <section
      class="verdict"
      data-tone={tone}
      data-conclusion={code}
      data-verdict={verdict}
      aria-labelledby="verdict"
    >
      <VerdictMark tone={tone} />
      <h1 id="verdict" tabIndex={-1}>
        {text('title')}
      </h1>
      <div>
        <p class="meaning">{text('meaning')}</p>
        <p class="next">{text('next')}</p>
        {useHasShopStep(conclusion) ? (
          <p class="small">
            <Fill text={words.ifYourShop} values={{ step: text('shop') }} />
          </p>
        ) : null}
        {children}
      </div>
    </section>
  );
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
