import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../kit/imports.ts';

/**
 * What a guide tells its reader to type, in order: its blocks of the language `sh`, and the commands in its numbered steps. Comments in
 * its source, which readers do not see, say how a command is run here; each concerns the next block or command:
 *
 * - `<!-- guide: skip <reason> -->`: it cannot be run here;
 * - `<!-- guide: exit <code> … -->`: its commands end with these codes, the last one for all further ones, in place of 0; `0/2`: either;
 * - `<!-- guide: says <text> -->`: its output contains this text;
 * - `<!-- guide: until <text> -->`: it stays up, and the reader goes on when it has printed this text;
 * - `<!-- guide: let <placeholder> = <regular expression> -->`: its output supplies the value of a placeholder, in the first group;
 * - `<!-- guide: output -->`: the next block without a language shows lines of the output of the command before;
 * - `<!-- guide: stop -->`: what stays up is ended first, as by Ctrl-C;
 * - `<!-- guide: run -->`: the next command in the text is run, though it is in no numbered step;
 * - `<!-- guide: where <text> = <value> -->`, at the top: the reader's own value for an example; `$NAME` is a value of the place
 *   (place.ts).
 */
export interface Guide {
  readonly file: string;
  /** Values for examples, longest example first. */
  readonly values: readonly (readonly [string, string])[];
  readonly steps: readonly Step[];
}

export interface Step {
  readonly line: number;
  /** Empty for a block that shows output. */
  readonly commands: readonly string[];
  readonly skip?: string;
  /** For each command the codes with which it may end; the last entry for all further ones. */
  readonly exits: readonly (readonly number[])[];
  readonly says: readonly string[];
  readonly until?: string;
  readonly captures: readonly { readonly placeholder: string; readonly pattern: RegExp }[];
  readonly isStopFirst: boolean;
}

const COMMENT = /<!-- guide: (\w+) ?(.*?) -->/g;
/** How a command in the text of a step begins. */
const COMMAND = /^(?:[A-Z_]+=\S+ )*(?:touchstone|npm|npx|git|curl|export|openssl|node) /;

export function readGuide(file: string): Guide {
  const values: [string, string][] = [];
  const steps: Step[] = [];
  let notes: [string, string][] = [];
  let fence: { readonly language: string; readonly line: number; readonly indent: number } | undefined;
  let block: string[] = [];
  let isInStep = false;
  const add = (line: number, commands: readonly string[]) => {
    steps.push(stepOf(line, commands, notes));
    notes = [];
  };
  for (const [index, text] of readFileSync(join(ROOT, file), 'utf8').split('\n').entries()) {
    const line = index + 1;
    const mark = /^( *)```(\w*)/.exec(text);
    if (mark !== null && fence === undefined) {
      fence = { language: mark[2] ?? '', line, indent: mark[1]?.length ?? 0 };
      block = [];
    } else if (mark !== null && fence !== undefined) {
      if (fence.language === 'sh') add(fence.line + 1, commandsOf(block));
      else if (notes.some(([word]) => word === 'output')) {
        notes.push(
          ...block.filter((shown) => shown.trim() !== '').map((shown): [string, string] => ['says', shown]),
        );
        add(fence.line + 1, []);
      }
      fence = undefined;
    } else if (fence !== undefined) block.push(text.slice(fence.indent));
    else {
      // Markdown takes the rest of such a line for HTML
      if (/^\s*(?:[-*] |\d+\. )?<!--.*-->\s*[^\s<]/.test(text))
        throw new Error(`${file}:${line}: a comment at the start of a line must be alone on it`);
      if (/^\d+\. /.test(text)) isInStep = true;
      else if (/^\S/.test(text)) isInStep = false;
      for (const [found, code] of text.matchAll(/<!-- guide: .*? -->|`([^`]+)`/g)) {
        if (code === undefined) {
          const [[, word = '', rest = ''] = []] = [...found.matchAll(COMMENT)];
          if (word === 'where') values.push(pairOf(rest));
          else notes.push([word, rest]);
        } else if ((isInStep && COMMAND.test(code)) || notes.some(([one]) => one === 'run'))
          add(line, [code]);
      }
    }
  }
  if (notes.length > 0) throw new Error(`${file}: no command follows ${JSON.stringify(notes)}`);
  values.sort(([a], [b]) => b.length - a.length);
  return { file, values, steps };
}

function stepOf(
  line: number,
  commands: readonly string[],
  notes: readonly (readonly [string, string])[],
): Step {
  const all = (word: string) => notes.filter(([one]) => one === word).map(([, rest]) => rest);
  const [skip] = all('skip');
  const [until] = all('until');
  return {
    line,
    commands,
    exits: (all('exit')[0] ?? '0').split(' ').map((codes) => codes.split('/').map(Number)),
    says: all('says'),
    captures: all('let').map((rest) => {
      const [placeholder, pattern] = pairOf(rest);
      return { placeholder, pattern: new RegExp(pattern) };
    }),
    isStopFirst: all('stop').length > 0,
    ...(skip === undefined ? {} : { skip }),
    ...(until === undefined ? {} : { until }),
  };
}

function pairOf(text: string): [string, string] {
  const [, name = '', value = ''] = /^(.+?) = (.+)$/.exec(text) ?? [];
  if (value === '') throw new Error(`not "<text> = <value>": ${text}`);
  return [name, value];
}

/** A command may continue on further lines, after `\` or inside quotes. */
function commandsOf(lines: readonly string[]): string[] {
  const commands: string[] = [];
  let open = '';
  for (const line of lines) {
    open += open === '' ? line : `\n${line}`;
    if (line.endsWith('\\') || (open.match(/(?<!\\)'/g)?.length ?? 0) % 2 === 1) continue;
    if (open.trim() !== '' && !/^\s*#/.test(open)) commands.push(open);
    open = '';
  }
  return commands;
}
