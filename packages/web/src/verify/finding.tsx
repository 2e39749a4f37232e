import type { ComponentChildren } from 'preact';
import { VerdictMark } from '../report/verdict.tsx';
import type { Tone } from '../report/verdict-view.ts';

interface FindingProps {
  readonly tone: Tone;
  /** For programs that read the page, such as tests. */
  readonly name: string;
  readonly title: ComponentChildren;
  readonly meaning: ComponentChildren;
  readonly children?: ComponentChildren;
}

/** A result: a mark, a sentence, and its meaning. */
export function Finding({ tone, name, title, meaning, children }: FindingProps) {
  return (
    <section class="verdict" data-tone={tone} data-verdict={name}>
      <VerdictMark tone={tone} />
      <h2>{title}</h2>
      <div>
        <p class="meaning">{meaning}</p>
        {children}
      </div>
    </section>
  );
}
