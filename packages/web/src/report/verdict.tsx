import type { Conclusion } from '@touchstone/certificate';
import type { ComponentChildren } from 'preact';
import { Fill, useTexts } from '../ui/text.tsx';
import { type Concerned, ConclusionText, useHasShopStep } from './conclusion-texts.tsx';
import { GROUNDS, SIGNS, TONE_OF, type Tone } from './tones.ts';

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
