import type { Guide, Step } from './read-guide.ts';
import type { Terminal } from './terminal.ts';

/** The values of a place for `$NAME` in the table of a guide. */
export type Values = Readonly<Record<string, string>>;

/**
 * Runs every command of a guide in its own words, in one terminal.
 *
 * @throws Error naming the line of the guide, at the first command that does not do what the guide says
 */
export async function runGuide(guide: Guide, terminal: Terminal, values: Values): Promise<void> {
  const own = new Map(guide.values.map(([example, value]) => [example, filled(value, values)] as const));
  let shown = '';
  for (const step of guide.steps) {
    if (step.skip !== undefined) continue;
    if (step.isStopFirst) await terminal.stop();
    const fail = (what: string) =>
      new Error(`${guide.file}:${step.line}: ${step.commands.join('\n')}\n${what}\n${shown.slice(-6000)}`);
    if (step.commands.length > 0) shown = await outputOf(step, own, terminal, fail);
    for (const text of step.says)
      if (!plain(shown).includes(plain(replaced(text, own)))) throw fail(`does not print: ${text}`);
    for (const { placeholder } of step.captures)
      if (!own.has(placeholder)) throw fail(`prints nothing for ${placeholder}`);
  }
}

async function outputOf(
  { commands, exits, until, captures }: Step,
  own: Map<string, string>,
  terminal: Terminal,
  fail: (what: string) => Error,
): Promise<string> {
  let output = '';
  for (const [index, command] of commands.entries()) {
    const typed = replaced(command, own);
    if (until !== undefined && index === commands.length - 1) {
      output += await terminal.runUntil(typed, until).catch((error: Error) => {
        throw fail(error.message);
      });
      continue;
    }
    const ended = await terminal.run(typed).catch((error: Error) => {
      throw fail(error.message);
    });
    output += ended.output;
    for (const { placeholder, pattern } of captures) {
      const value = pattern.exec(ended.output)?.[1];
      if (value !== undefined) own.set(placeholder, value);
    }
    const expected = exits[Math.min(index, exits.length - 1)] ?? [];
    if (!expected.includes(ended.code))
      throw fail(
        `${typed}\nends with ${ended.code}, not ${expected.join(' or ')}:\n${ended.output.slice(-6000)}`,
      );
  }
  return output;
}

function replaced(text: string, own: ReadonlyMap<string, string>): string {
  let result = text;
  for (const [example, value] of own) result = result.replaceAll(example, value);
  return result;
}

function filled(text: string, values: Values): string {
  return text.replace(/\$([A-Z_]+)/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`no value for $${name}`);
    return value;
  });
}

/** Without differences of spacing. */
function plain(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
