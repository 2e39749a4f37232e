import type { BadgeResult } from './badge-result.ts';
import { icon } from './icons.ts';
import { type BadgeText, type BadgeTexts, badgeText } from './text.ts';

/** What a badge draws itself from. */
export interface BadgeView {
  readonly result: BadgeResult;
  /** As documents name it. */
  readonly language: string;
  readonly href: string;
  readonly target: string;
  /** Whether a change is read out: of the page's own badge, not of every one on a list. */
  readonly isLive: boolean;
}

/** The parts that stay while what is in them changes: the focus stays on the link, and what changes is read out. */
export interface Drawn {
  readonly link: HTMLAnchorElement;
  readonly words: HTMLElement;
}

export function createLink(): Drawn {
  const link = document.createElement('a');
  link.part.add('badge');
  link.rel = 'noopener nofollow';
  link.referrerPolicy = 'no-referrer';
  const words = element('span', 'text');
  words.setAttribute('aria-atomic', 'true');
  // the direction of the languages that there are: the order of the parts follows the page
  words.dir = 'ltr';
  link.append(words);
  return { link, words };
}

/** Draws the badge. What a certificate says becomes text, never markup. */
export function draw({ link, words }: Drawn, view: BadgeView, texts: BadgeTexts): void {
  const { result, language, href, target, isLive } = view;
  const { lang, text } = badgeText(texts, language);
  link.className = result.state;
  link.lang = lang;
  link.href = href;
  link.target = target;
  words.ariaLive = isLive ? 'polite' : 'off';
  const { certificates = 1 } = result;
  const several = certificates > 1 ? text.several.replace('{count}', `${certificates}`) : '';
  const further = [several, target === '_blank' ? text.newTab : ''].filter((one) => one !== '');
  link.title = several;
  words.replaceChildren(
    element('span', 'unseen', `${text.name}: `),
    element('b', '', text.states[result.state]),
    element('small', '', ...detailOf(result, text, lang)),
    element('span', 'unseen', further.map((one) => ` (${one})`).join('')),
  );
  link.replaceChildren(icon(result.state), words);
}

/** The sentence with what stands in its place, which may run in another direction. */
function detailOf(
  { detail, domain = '', product = '', expiresAt }: BadgeResult,
  text: BadgeText,
  lang: string,
): (string | Node)[] {
  const values: Readonly<Record<string, string>> = {
    domain,
    product,
    date:
      expiresAt === undefined
        ? ''
        : new Intl.DateTimeFormat(lang, { dateStyle: 'medium' }).format(new Date(expiresAt)),
  };
  return text.details[detail]
    .split(/\{(\w+)\}/)
    .map((part, index) => (index % 2 === 0 ? part : element('bdi', '', values[part] ?? '')));
}

function element(name: string, className: string, ...content: readonly (string | Node)[]): HTMLElement {
  const made = document.createElement(name);
  if (className !== '') made.className = className;
  made.append(...content);
  return made;
}
