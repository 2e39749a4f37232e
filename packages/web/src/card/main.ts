import type { CardTexts } from './card-texts.ts';
import { draw } from './draw.ts';
import { connectHost, type HostContext } from './host.ts';
import { plain, type Verdict, verdictsIn } from './verdicts.ts';

/** What the card is about, as far as the host has told. */
type State = 'waiting' | 'cancelled' | { readonly result: unknown };

/**
 * Shows the verdict of a tool's result, in the host's colours and language (MCP Apps).
 *
 * @param version - of the program that made the card
 * @param byLanguage - always with English
 */
export function start(version: string, byLanguage: Readonly<Record<string, CardTexts>>): void {
  let context: HostContext = {};
  let state: State = 'waiting';
  const show = () => {
    const { theme, locale = navigator.language } = context;
    const asked = /^[a-z]{2}(?=-[a-z]{2}$|$)/i.exec(String(locale))?.[0].toLowerCase() ?? '';
    const lang = Object.hasOwn(byLanguage, asked) ? asked : 'en';
    const texts = byLanguage[lang] as CardTexts;
    // with its region, for dates
    const language = lang === asked ? String(locale) : lang;
    const root = document.documentElement;
    root.lang = lang;
    root.style.colorScheme = theme === 'light' || theme === 'dark' ? theme : '';
    draw(verdictsOf(state, { texts, language }), texts.about);
    tellSize();
  };
  const change = (next: State) => {
    state = next;
    show();
  };
  const tellSize = connectHost(version, {
    context(changed) {
      context = { ...context, ...changed };
      show();
    },
    result: (result) => change({ result }),
    cancelled: () => change('cancelled'),
  });
  show();
}

function verdictsOf(
  state: State,
  site: { readonly texts: CardTexts; readonly language: string },
): readonly Verdict[] {
  if (typeof state === 'string') return [plain(site.texts.card[state], state)];
  return verdictsIn(state.result, site);
}
