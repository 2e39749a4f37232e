import type { CodeTable } from '@touchstone/contract/codes';

/** docs/codes.md. */
export function codesMarkdown(tables: readonly CodeTable[]): string {
  const sections = tables.map(({ title, intro, advice, rows }) => {
    const hasStatus = rows.some((row) => row.status !== undefined);
    const lines = rows.map(({ code, sentence, status }) =>
      hasStatus ? `| \`${code}\` | ${status} | ${sentence} |` : `| \`${code}\` | ${sentence} |`,
    );
    const head = hasStatus ? ['| code | status | says |', '|---|---|---|'] : ['| code | says |', '|---|---|'];
    return [`## ${title}`, '', `${intro} ${advice}`, '', ...head, ...lines].join('\n');
  });
  return `# Codes\n\nGenerated from the code by \`npm run docs\`; do not edit.\n\n${sections.join('\n\n')}\n`;
}
