import type { CodeRow, CodeTable } from '@touchstone/contract/codes';
import { escapeHtml, readingPage } from './html.ts';

/** /docs/codes: what `type` of a problem document links to; each code is an anchor. */
export function codesPage(tables: readonly CodeTable[]): string {
  const anchored = new Set<string>();
  const sections = tables.map(({ title, intro, advice, rows }) => {
    const hasStatus = rows.some((row) => row.status !== undefined);
    const head = `<tr><th scope="col">Code</th>${hasStatus ? '<th scope="col">Status</th>' : ''}<th scope="col">Says</th></tr>`;
    const body = rows.map((row) => tableRow(row, anchored)).join('\n');
    return `<h2>${escapeHtml(title)}</h2>\n<p>${codeSpans(escapeHtml(`${intro} ${advice}`))}</p>\n<table>\n<thead>${head}</thead>\n<tbody>\n${body}\n</tbody>\n</table>`;
  });
  const lead =
    '<p>Every code that a response of this service can contain. <a href="/docs">API reference</a></p>';
  return readingPage({ title: 'Codes', main: `${lead}\n${sections.join('\n')}` });
}

/** Only the first table with a code gets its anchor. */
function tableRow({ code, sentence, status }: CodeRow, anchored: Set<string>): string {
  const id = anchored.has(code) ? '' : ` id="${escapeHtml(code)}"`;
  anchored.add(code);
  const statusCell = status === undefined ? '' : `<td data-label="Status">${status}</td>`;
  return `<tr${id}><td><code>${escapeHtml(code)}</code></td>${statusCell}<td>${escapeHtml(sentence)}</td></tr>`;
}

function codeSpans(html: string): string {
  return html.replace(/`([^`]+)`/g, '<code>$1</code>');
}
