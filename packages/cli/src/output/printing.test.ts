import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { COLOUR_END, COLOURS, printing } from './printing.ts';
import { paintFor } from './text.ts';

function collected(isTerminal: boolean) {
  const pieces: string[] = [];
  const output = printing({ write: (more) => pieces.push(more), isTerminal, columns: 20 });
  return { output, paint: paintFor(output, {}), text: () => pieces.join('') };
}

/** Anything that controls a terminal, reorders text, or is invisible, except a line feed. */
const FORBIDDEN = /[\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]|(?!\n)\p{Cc}/u;

describe('what is printed', () => {
  it('has no character that controls a terminal, reorders or hides text, whatever is written', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' })), fc.boolean(), (parts, isTerminal) => {
        const { output, paint, text } = collected(isTerminal);
        for (const part of parts)
          output.write(isTerminal ? paint('bad', part.replaceAll('\u001b', 'x')) : part);
        const shown = [COLOURS.bad, COLOUR_END].reduce((all, colour) => all.replaceAll(colour, ''), text());
        expect(shown).not.toMatch(FORBIDDEN);
      }),
    );
    const { output, text } = collected(true);
    output.write('a\u001b[2J\u001b]0;title\u0007\u001b[31;1mb\u009b31mc\u202ed\u2028e\u200bf\rg\u001b[K\n');
    expect(text()).toBe(
      'a\\u001b[2J\\u001b]0;title\\u0007\\u001b[31;1mb\\u009b31mc\\u202ed\\u2028e\\u200bf\\u000dg\\u001b[K\n',
    );
  });

  it('has colours on a terminal only, however they were written', () => {
    const [terminal, file] = [collected(true), collected(false)];
    for (const { output } of [terminal, file]) output.write(terminal.paint('good', 'VERIFIED'));
    expect(terminal.text()).toBe('\u001b[32mVERIFIED\u001b[0m');
    expect(file.text()).toBe('\\u001b[32mVERIFIED\\u001b[0m');
  });

  it('stays on its line, and within it, where a line is replaced', () => {
    const { output, text } = collected(true);
    output.replaceLine('3 of 7\n\u001b[2J and more than the width');
    expect(text()).toBe('\r\u001b[K3 of 7\\u000a\\u001b[');
  });

  it('remains the same JSON', () => {
    const { output, text } = collected(false);
    const value = { text: '\u202e\u009b\u2028"\\' };
    output.write(`${JSON.stringify(value)}\n`);
    expect(JSON.parse(text())).toEqual(value);
    expect(text()).toContain('\\u202e\\u009b\\u2028');
  });
});
