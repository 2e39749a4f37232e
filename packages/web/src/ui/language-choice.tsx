import { useSetting } from './text.tsx';

/** Links, so that the language is part of the address and works for anyone who gets the link. */
export function LanguageChoice() {
  const { language, languages, texts } = useSetting();
  return (
    <ul class="languages" aria-label={texts.common.language}>
      {languages.map((code) => (
        <li key={code}>
          <a
            href={inLanguage(code)}
            lang={code}
            hrefLang={code}
            aria-current={code === language ? 'true' : undefined}
          >
            {nameOf(code)}
          </a>
        </li>
      ))}
    </ul>
  );
}

/** The language's own name, for users who cannot read the page. */
function nameOf(code: string): string {
  const name = new Intl.DisplayNames([code], { type: 'language' }).of(code) ?? code;
  return name.charAt(0).toLocaleUpperCase(code) + name.slice(1);
}

function inLanguage(code: string): string {
  const url = new URL(location.href);
  url.searchParams.set('lang', code);
  return `${url.pathname}${url.search}`;
}
