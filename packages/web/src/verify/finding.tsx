import type { Conclusion } from '@touchstone/certificate';
import type { ComponentChildren } from 'preact';
import { type Concerned, ConclusionText } from '../report/conclusion-texts.tsx';
import { TONE_OF, type Tone } from '../report/tones.ts';
import { VerdictMark } from '../report/verdict.tsx';

interface FindingProps {
  readonly tone: Tone;
  /** For programs that read the page, such as tests. */
  readonly name: string;
  /** The code of the conclusion, if there is one. */
  readonly code?: string;
  readonly title: ComponentChildren;
  readonly meaning: ComponentChildren;
  readonly children?: ComponentChildren;
}

/** A result: a mark, a sentence, and its meaning. */
export function Finding({ tone, name, code, title, meaning, children }: FindingProps) {
  return (
    <section class="verdict" data-tone={tone} data-verdict={name} data-conclusion={code}>
      <VerdictMark tone={tone} />
      <h2>{title}</h2>
      <div>
        <p class="meaning">{meaning}</p>
        {children}
      </div>
    </section>
  );
}

interface ConcludedProps {
  readonly conclusion: Conclusion;
  /** Of the verification or the page check. */
  readonly verdict: string;
  readonly about: Concerned;
}

/** What is concluded, in the words of the conclusion's code. */
export function ConcludedFinding({ conclusion: { code, level }, verdict, about }: ConcludedProps) {
  return (
    <Finding
      tone={TONE_OF[level]}
      name={verdict}
      code={code}
      title={<ConclusionText code={code} part="title" about={about} />}
      meaning={<ConclusionText code={code} part="meaning" about={about} />}
    >
      <p class="next">
        <ConclusionText code={code} part="next" about={about} />
      </p>
    </Finding>
  );
}
