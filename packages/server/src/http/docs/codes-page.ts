import type { CodeRow, CodeTable } from './code-tables.ts';
import { escapeHtml, htmlPage } from './html.ts';

const STYLE = `body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#1a1a1a;background:#fff}
table{border-collapse:collapse;width:100%}th,td{text-align:left;vertical-align:top;padding:.4rem .8rem .4rem 0;border-bottom:1px solid #ddd}
code{font:14px ui-monospace,monospace}tr:target{background:#fff3c4}
@media(prefers-color-scheme:dark){body{color:#e8e8e8;background:#161616}th,td{border-color:#444}a{color:#8ab4f8}tr:target{background:#4a3f10}}`;

/** /docs/codes: what `type` of a problem document links to; each code is an anchor. */
export function codesPage(tables: readonly CodeTable[]): string {
  const anchored = new Set<string>();
  const sections = tables.map(({ title, intro, rows }) => {
    const hasStatus = rows.some((row) => row.status !== undefined);
    const head = `<tr><th scope="col">Code</th>${hasStatus ? '<th scope="col">Status</th>' : ''}<th scope="col">Says</th></tr>`;
    const body = rows.map((row) => tableRow(row, anchored)).join('\n');
    return `<h2>${escapeHtml(title)}</h2>\n<p>${codeSpans(escapeHtml(intro))}</p>\n<table>\n<thead>${head}</thead>\n<tbody>\n${body}\n</tbody>\n</table>`;
  });
  const lead =
    '<p>Every code that an answer of this service can carry. <a href="/docs">API reference</a></p>';
  return htmlPage({
    title: 'Codes · Touchstone',
    head: `<style>${STYLE}</style>`,
    body: `<main><h1>Codes</h1>\n${lead}\n${sections.join('\n')}</main>`,
  });
}

/** The first table to use a code has its anchor. */
function tableRow({ code, sentence, status }: CodeRow, anchored: Set<string>): string {
  const id = anchored.has(code) ? '' : ` id="${escapeHtml(code)}"`;
  anchored.add(code);
  const statusCell = status === undefined ? '' : `<td>${status}</td>`;
  return `<tr${id}><td><code>${escapeHtml(code)}</code></td>${statusCell}<td>${escapeHtml(sentence)}</td></tr>`;
}

function codeSpans(html: string): string {
  return html.replace(/`([^`]+)`/g, '<code>$1</code>');
}
