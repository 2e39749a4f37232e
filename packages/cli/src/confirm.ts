import { usage } from './cli-error.ts';
import type { Session } from './session.ts';

/** Hint for runs without a terminal to ask on. */
export const UNATTENDED = 'To confirm, run it again with --yes.';

/** Whether the user can be asked. @param canAsk - whether standard input is free for the answer */
export function isAttended({ io }: Session, canAsk: boolean): boolean {
  return canAsk && io.stderr.isTerminal;
}

/**
 * Asks the user for confirmation.
 *
 * @param question - a sentence that says what would happen
 * @param canAsk - whether standard input is free for the answer
 * @throws CliError (usage) if the user cannot be asked
 */
export async function confirm(
  session: Session,
  question: string,
  {
    verb,
    undone,
    canAsk = true,
  }: { readonly verb: string; readonly undone: string; readonly canAsk?: boolean },
): Promise<boolean> {
  const { io } = session;
  if (!isAttended(session, canAsk)) throw usage(`${question} ${undone}`, UNATTENDED, 'confirmation_missing');
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
