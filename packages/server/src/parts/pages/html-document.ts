import { escapeHtml, ICON } from '../../core/docs/html.ts';

/** The parts of an HTML document: all plain text, except for `data`. */
export interface HtmlDocument {
  readonly language: string;
  readonly title: string;
  /** Follows the title in the title element only. */
  readonly site: string;
  readonly description: string;
  /** Paths. */
  readonly style: string;
  readonly script: string;
  readonly preload: readonly string[];
  /** JSON, for the script. */
  readonly data: string;
  /** A sentence for browsers without scripts, besides title and description. */
  readonly withoutScript: string;
  /** Path of the web application manifest, for a page that can be installed. */
  readonly manifest?: string | undefined;
  /** A link to the same content as JSON. */
  readonly asData?: { readonly href: string; readonly label: string } | undefined;
}

/** Contains no inline scripts or styles, which the content security policy of pages forbids. */
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

/** JSON with the same value that neither ends the script element nor begins a comment in it. */
function scriptData(json: string): string {
  return json.replace(/[<\u2028\u2029]/g, (character) => ESCAPES[character] ?? '');
}

/** From the locale data of the runtime, so that a new language needs no entry here. */
function directionOf(language: string): 'ltr' | 'rtl' {
  // Node 22 has the property, later ones the method
  const locale: Intl.Locale & { readonly textInfo?: Intl.TextInfo } = new Intl.Locale(language);
  return (locale.textInfo ?? locale.getTextInfo()).direction === 'rtl' ? 'rtl' : 'ltr';
}
