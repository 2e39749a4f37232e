import type { BadgeResult } from './badge-result.ts';
import { icon } from './icons.ts';
import { type BadgeText, type BadgeTexts, badgeText } from './text.ts';

/** The data that a badge shows. */
export interface BadgeView {
  readonly result: BadgeResult;
  /** A language tag, as in `lang`. */
  readonly language: string;
  readonly href: string;
  readonly target: string;
  /** Whether changes are announced by screen readers: for the page's own badge, not for those on a list. */
  readonly isLive: boolean;
}

/** The elements that remain when the content changes, so that the link keeps the focus and changes are announced. */
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
  // all present languages are left to right; the order of the parts follows the page's direction
  words.dir = 'ltr';
  link.append(words);
  return { link, words };
}

/** Draws the badge. Values of a certificate are inserted as text, never as markup. */
export function draw({ link, words }: Drawn, view: BadgeView, texts: BadgeTexts): void {
  const { result, language, href, target, isLive } = view;
  const { lang, text } = badgeText(texts, language);
  link.className = result.level === undefined ? result.state : `${result.state} ${result.level}`;
  link.lang = lang;
  link.href = href;
  link.target = target;
  words.ariaLive = isLive ? 'polite' : 'off';
  const { certificates = 1 } = result;
  const several = certificates > 1 ? text.several.replace('{count}', `${certificates}`) : '';
  const why =
    result.detail === 'insecure' ? text.insecure : result.why === undefined ? '' : text.why[result.why];
  const notes = [why, several].filter((one) => one !== '');
  const further = [...notes, ...(target === '_blank' ? [text.newTab] : [])];
  link.title = notes.join(' ');
  words.replaceChildren(
    element('span', 'unseen', `${text.name}: `),
    element('b', '', text.states[result.state]),
    element('small', '', ...detailOf(result, text, lang)),
    element('span', 'unseen', further.map((one) => ` (${one})`).join('')),
  );
  link.replaceChildren(icon(result.state), words);
}

/** The sentence with its values, which may have another direction. */
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
