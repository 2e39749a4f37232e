import { usage } from './cli-error.ts';
import type { Session } from './session.ts';

/**
 * Asks whether something shall be done.
 *
 * @param question - a sentence that says what would happen
 * @param canAsk - whether standard input is free for the answer
 * @throws CliError (usage) where there is nobody to ask
 */
export async function confirm(
  { io }: Session,
  question: string,
  {
    verb,
    undone,
    canAsk = true,
  }: { readonly verb: string; readonly undone: string; readonly canAsk?: boolean },
): Promise<boolean> {
  if (!canAsk || !io.stderr.isTerminal)
    throw usage(`${question} ${undone}`, 'If that is right, run it again with --yes.');
  io.stderr.write(`${question} ${verb}? [y/N] `);
  return /^y(es)?$/i.test(await firstLine(io.stdin));
}

async function firstLine(input: AsyncIterable<Uint8Array>): Promise<string> {
  let text = '';
  for await (const piece of input) {
    text += new TextDecoder().decode(piece);
    if (text.includes('\n')) break;
  }
  return (text.split('\n', 1)[0] ?? '').trim();
}
