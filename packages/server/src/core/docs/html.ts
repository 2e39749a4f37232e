const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

/** The icon: a dark stone with a streak of gold; embedded, so that browsers need no further request. */
export const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Crect width='16' height='16' " +
  "rx='4' fill='%23222'/%3E%3Cpath d='M4 12 12 4' stroke='%23e3b341' stroke-width='2.5' stroke-linecap='round'/%3E%3C/svg%3E";

/** The style of text pages, for screens of any width, in light and dark mode. */
const READING_STYLE = `:root{color-scheme:light dark}
body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#1a1a1a;background:#fff}
a{color:#0b57d0}code{font:14px ui-monospace,monospace}dt{margin-top:1rem}dd{margin-left:0}
table{border-collapse:collapse;width:100%}th,td{text-align:left;vertical-align:top;padding:.4rem .8rem .4rem 0;border-bottom:1px solid #ddd}
:target{background:#fff3c4}
@media(max-width:40rem){code{overflow-wrap:anywhere}thead{display:none}tr{display:block;padding:.4rem 0;border-bottom:1px solid #ddd}
td{display:block;padding:0;border:0}td[data-label]::before{content:attr(data-label) " "}}
@media(prefers-color-scheme:dark){body{color:#e8e8e8;background:#161616}th,td,tr{border-color:#444}a{color:#8ab4f8}:target{background:#4a3f10}}`;

/** A page of text; `main` is HTML, `title` is text and becomes the heading. */
export function readingPage({ title, main }: { title: string; main: string }): string {
  return htmlPage({
    title: `${title} · Touchstone`,
    head: `<style>${READING_STYLE}</style>`,
    body: `<main><h1>${escapeHtml(title)}</h1>\n${main}</main>`,
  });
}

/** `head` and `body` are HTML; `title` is text. */
export function htmlPage(parts: { title: string; head: string; body: string }): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(parts.title)}</title>
<link rel="icon" href="${ICON}">
${parts.head}
</head>
<body>
${parts.body}
</body>
</html>
`;
}

/** Only resources of this service; styles may be inline, scripts may not. */
export const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
    "font-src 'self' data:; connect-src 'self'; worker-src 'self' blob:; base-uri 'none'; form-action 'none'; " +
    "frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'cache-control': 'public, max-age=300',
} as const;
