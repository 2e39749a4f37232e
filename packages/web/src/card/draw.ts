import { GROUNDS, SIGNS, type Tone } from '../report/tones.ts';
import type { Phrase } from './phrases.ts';
import type { Row, Verdict } from './verdicts.ts';

const SVG = 'http://www.w3.org/2000/svg';

/** Draws verdicts into the document. All text is inserted as text, never as markup. */
export function draw(verdicts: readonly Verdict[], about: string): void {
  document.body.replaceChildren(
    element('main', {}, ...verdicts.map(drawVerdict)),
    element('footer', {}, about),
  );
}

function drawVerdict({ tone, code, label, first, title, further, rows, last = [] }: Verdict): HTMLElement {
  const heading = element('h1', {}, ...drawPhrase(title));
  return element(
    'article',
    { 'data-tone': tone, 'data-conclusion': code },
    ...(label === undefined ? [] : [element('p', { class: 'label' }, ...drawPhrase(label))]),
    ...first.map((phrase) => element('p', { class: 'first' }, ...drawPhrase(phrase))),
    element('div', { class: 'head' }, mark(tone), heading),
    ...further.map((phrase, at) => element('p', at === 1 ? { class: 'next' } : {}, ...drawPhrase(phrase))),
    ...(rows.length === 0 ? [] : [element('dl', {}, ...rows.flatMap(drawRow))]),
    element('p', { class: 'last' }, ...drawPhrase(last)),
  );
}

function drawRow({ term, isDifference, values }: Row): HTMLElement[] {
  const marked = isDifference === true ? { class: 'differs' } : {};
  return [element('dt', marked, term), ...values.map((value) => element('dd', marked, ...drawPhrase(value)))];
}

function drawPhrase(phrase: Phrase): (string | Node)[] {
  return phrase.map((part) =>
    typeof part === 'string'
      ? part
      : element('bdi', part.language === undefined ? {} : { lang: part.language }, part.quoted),
  );
}

/** The mark says by its shape what its colour says. */
function mark(tone: Tone): SVGElement {
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('viewBox', '0 0 48 48');
  svg.setAttribute('aria-hidden', 'true');
  for (const [name, d] of [
    ['ground', GROUNDS[tone]],
    ['sign', SIGNS[tone]],
  ] as const) {
    const path = document.createElementNS(SVG, 'path');
    path.setAttribute('class', name);
    path.setAttribute('d', d);
    svg.append(path);
  }
  return svg;
}

function element(
  name: string,
  attributes: Readonly<Record<string, string>>,
  ...content: readonly (string | Node)[]
): HTMLElement {
  const made = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value);
  made.append(...content);
  return made;
}
