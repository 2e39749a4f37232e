import { z } from 'zod';
import { PARTS } from '../packages/server/src/parts.ts';
import { SETTINGS } from '../packages/server/src/platform/settings/settings.ts';

interface ListedSetting {
  readonly name: string;
  /** Empty for none, and where the description says it. */
  readonly byDefault: string;
  readonly description: string;
}

/** Every setting with its default; one that depends on the machine or on others is part of its description. */
export function listedSettings(): ListedSetting[] {
  const all = Object.entries<z.ZodType>(
    Object.assign({}, SETTINGS.shape, ...PARTS.map(({ settings = {} }) => settings)),
  );
  return all.map(([name, schema]) => {
    const { description = '' } = schema;
    if (description === '') throw new Error(`nothing says what ${name} is for`);
    const given = schema instanceof z.ZodDefault ? [schema.def.defaultValue].flat().join(',') : '';
    const byDefault = description.includes('Default: ') ? '' : given;
    return { name: `TOUCHSTONE_${name}`, byDefault, description };
  });
}

/** docs/settings.md. */
export function settingsMarkdown(): string {
  const rows = listedSettings().map(({ name, byDefault, description }) => {
    const code = byDefault === '' ? '' : `\`${byDefault}\``;
    return `| \`${name}\` | ${code} | ${description.replaceAll('|', '\\|')} |`;
  });
  return `# Settings

Generated from the code by \`npm run docs\`; do not edit.

Environment variables of \`touchstone serve\`; an empty value counts as not set. Lists are separated by commas. Wrong values prevent
the start, which lists all of them; unknown names that begin with \`TOUCHSTONE_\` cause a warning. The
[operator guide](guides/operator.md) says when to change them.

| setting | default | meaning |
|---|---|---|
${rows.join('\n')}
`;
}
