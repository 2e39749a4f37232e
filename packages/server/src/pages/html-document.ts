import { escapeHtml, ICON } from '../docs/html.ts';

/** What a document of a page says, all of it text but for `data`. */
export interface HtmlDocument {
  readonly language: string;
  readonly title: string;
  /** Behind the title, in the name of the window alone. */
  readonly site: string;
  readonly description: string;
  /** Paths. */
  readonly style: string;
  readonly script: string;
  readonly preload: readonly string[];
  /** JSON, for the script. */
  readonly data: string;
  /** What is told where scripts do not run, beside title and description. */
  readonly withoutScript: string;
  /** Of a page that can be installed. */
  readonly manifest?: string | undefined;
  /** Where a program reads the same, and what that link is called. */
  readonly asData?: { readonly href: string; readonly label: string } | undefined;
}

/** Nothing in it is run or styled in place: the policy of pages forbids both. */
export function htmlDocument(parts: HtmlDocument): string {
  const { language, asData, manifest } = parts;
  const title = escapeHtml(parts.title);
  const description = escapeHtml(parts.description);
  const preloads = parts.preload.map((href) => `<link rel="modulepreload" href="${escapeHtml(href)}">\n`);
  const alternate =
    asData === undefined
      ? ''
      : `<p><a href="${escapeHtml(asData.href)}">${escapeHtml(asData.label)}</a></p>\n`;
  return `<!doctype html>
<html lang="${escapeHtml(language)}" dir="${directionOf(language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · ${escapeHtml(parts.site)}</title>
<meta name="description" content="${description}">
<link rel="icon" href="${ICON}">
${manifest === undefined ? '' : `<link rel="manifest" href="${escapeHtml(manifest)}">\n`}<link rel="stylesheet" href="${escapeHtml(parts.style)}">
<script type="module" src="${escapeHtml(parts.script)}"></script>
${preloads.join('')}</head>
<body>
<div id="page"></div>
<noscript>
<main>
<h1>${title}</h1>
<p>${description}</p>
<p>${escapeHtml(parts.withoutScript)}</p>
${alternate}</main>
</noscript>
<script type="application/json" id="data">${scriptData(parts.data)}</script>
</body>
</html>
`;
}

const ESCAPES: Readonly<Record<string, string>> = {
  '<': '\\u003c',
  '\u2028': '\\u2028',
  '\u2029': '\\u2029',
};

/** JSON stays the same JSON, and ends no script element, nor begins a comment in one. */
function scriptData(json: string): string {
  return json.replace(/[<\u2028\u2029]/g, (character) => ESCAPES[character] ?? '');
}

/** Known of every language, so that one more needs no line here. */
function directionOf(language: string): 'ltr' | 'rtl' {
  return new Intl.Locale(language).getTextInfo().direction === 'rtl' ? 'rtl' : 'ltr';
}
