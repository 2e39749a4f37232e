import { join } from 'node:path';
import { ROOT } from '../../kit/imports.ts';
import { type Program, programTransport, startProgram } from './program.ts';
import type { Transport } from './transport.ts';

export const PHP_SDK = join(ROOT, 'sdk/php');

const OPTIONS = { name: 'php', command: ['php', join(PHP_SDK, 'tests/vectors.php')] } as const;

/** The verifier in PHP. */
export function phpTransport(): Transport {
  return programTransport({
    ...OPTIONS,
    cannot: ({ kind }) => (kind === 'page' ? 'it reads no pages' : null),
    refusesKeys: true,
    readsImages: false,
  });
}

/** The same for any question. */
export const startPhp = (): Program => startProgram(OPTIONS);
