import { useSetting } from './text.tsx';

/** Named in themselves, for whoever cannot read the page. */
const NAMES: Readonly<Record<string, string>> = { en: 'English', es: 'Español' };

/** Links, so that the choice stands in the address and works for whoever is sent it. */
export function LanguageChoice() {
  const { language, texts } = useSetting();
  return (
    <ul class="languages" aria-label={texts.common.language}>
      {Object.entries(NAMES).map(([code, name]) => (
        <li key={code}>
          <a
            href={inLanguage(code)}
            lang={code}
            hrefLang={code}
            aria-current={code === language ? 'true' : undefined}
          >
            {name}
          </a>
        </li>
      ))}
    </ul>
  );
}

function inLanguage(code: string): string {
  const url = new URL(location.href);
  url.searchParams.set('lang', code);
  return `${url.pathname}${url.search}`;
}
