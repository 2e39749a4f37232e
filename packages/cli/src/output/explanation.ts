import type { FactExplanation } from '@touchstone/certificate/schema';
import { safe, table } from './text.ts';

const BECAUSE: Readonly<Record<FactExplanation['because'], string>> = {
  only_value: 'the page states one value, in one place',
  sources_agree: 'all sources agree',
  heaviest: 'the value with the highest weight was chosen',
  zero_set_aside: 'zero stands for no price: none was chosen',
  garbled_set_aside: 'characters were lost: none was chosen',
};

/** The candidates of each fact: value, source and weight, the chosen one marked. */
export function explanationText(explanation: readonly FactExplanation[]): string {
  if (explanation.length === 0) return 'The page states no fact.\n';
  return explanation
    .map(({ fact, because, candidates }) => {
      const rows = candidates.map(({ value, source, field, weight, score, chosen }) => [
        chosen && !because.endsWith('_set_aside') ? '*' : ' ',
        shorten(value),
        `weight ${weight.toFixed(2)}`,
        `score ${score.toFixed(2)}`,
        `${source} ${field}`,
      ]);
      return `${safe(fact)}: ${BECAUSE[because]}\n${table(rows)}`;
    })
    .join('\n');
}

/** The same as a self-contained page: it loads and runs nothing, and texts of the page are escaped. */
export function explanationPage(page: string, explanation: readonly FactExplanation[]): string {
  const facts = explanation.map(({ fact, because, candidates }) => {
    const rows = candidates.map(({ value, source, field, weight, score, chosen }) => {
      const taken = chosen && !because.endsWith('_set_aside');
      const cells = [taken ? 'taken' : '', value, `${source} ${field}`, weight.toFixed(2), score.toFixed(2)];
      return `<tr${taken ? ' class="taken"' : ''}>${cells.map((cell) => `<td><bdi>${escaped(cell)}</bdi></td>`).join('')}</tr>`;
    });
    return `<h2>${escaped(fact)}</h2>
<p>${escaped(BECAUSE[because])}.</p>
<table><thead><tr><th></th><th>Value</th><th>Place</th><th>Weight</th><th>Score</th></tr></thead>
<tbody>${rows.join('\n')}</tbody></table>`;
  });
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>What the facts of a page were chosen from</title>
<style>${STYLE}</style></head>
<body><h1>What the facts were chosen from</h1>
<p><bdi>${escaped(page)}</bdi></p>
<p>Each place on the page is worth its weight. A value's score is the best weight of the places that give it, and a share
of the others'; the highest is taken.</p>
${facts.length === 0 ? '<p>The page states no fact.</p>' : facts.join('\n')}
</body></html>
`;
}

const STYLE =
  ':root{color-scheme:light dark}body{font:1rem/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}table{border-collapse:collapse;width:100%}th,td{text-align:start;padding:.25rem .5rem;border-bottom:1px solid #8886;overflow-wrap:anywhere}td:nth-child(n+4){font-variant-numeric:tabular-nums}.taken{font-weight:600}';

function escaped(text: string): string {
  return safe(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

function shorten(text: string): string {
  return text.length <= 60 ? text : `${text.slice(0, 59).toWellFormed()}…`;
}
