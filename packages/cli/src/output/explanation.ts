import type { FactExplanation } from '@touchstone/certificate/schema';
import { table } from './text.ts';

const BECAUSE: Readonly<Record<FactExplanation['because'], string>> = {
  only_value: 'the page gives one value, in one place',
  sources_agree: 'all places agree',
  heaviest: 'the value of the heaviest places was taken',
  zero_set_aside: 'zero stands for no price: none was taken',
  garbled_set_aside: 'characters were lost on the way: none was taken',
};

/** What each fact was chosen from: every value, its place and weight, the taken one marked. */
export function explanationText(explanation: readonly FactExplanation[]): string {
  if (explanation.length === 0) return 'Nothing was weighed: the page states no fact.\n';
  return explanation
    .map(({ fact, because, candidates }) => {
      const rows = candidates.map(({ value, source, field, weight, score, chosen }) => [
        { text: chosen && !because.endsWith('_set_aside') ? '*' : ' ' },
        { text: shorten(value) },
        { text: `weight ${weight.toFixed(2)}` },
        { text: `score ${score.toFixed(2)}` },
        { text: `${source} ${field}` },
      ]);
      return `${fact}: ${BECAUSE[because]}\n${table(rows)}`;
    })
    .join('\n');
}

function shorten(text: string): string {
  return text.length <= 60 ? text : `${text.slice(0, 59).toWellFormed()}…`;
}
