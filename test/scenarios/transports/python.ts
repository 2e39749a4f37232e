import { join } from 'node:path';
import { PYTHON, PYTHON_ENV, PYTHON_SDK } from '../../kit/python.ts';
import type { Vector } from '../../kit/vectors.ts';
import { type Program, programTransport, startProgram } from './program.ts';
import type { Transport } from './transport.ts';

const OPTIONS = {
  name: 'python',
  command: [PYTHON, join(PYTHON_SDK, 'tests/vectors.py')],
  env: PYTHON_ENV,
} as const;

/** The Python package, `sdk/python`. */
export function pythonTransport(): Transport {
  return programTransport({ ...OPTIONS, cannot });
}

/** The same for any question. */
export function startPython(): Program {
  return startProgram(OPTIONS);
}

/** Conclusions that are drawn from what a page states, which the package does not read. */
const OF_FACTS = ['page_differs', 'product_list'];

/** Verdicts on what was served in place of a page. */
const GATES = ['password_protected', 'page_fetch_failed'];

function cannot({ kind, input, expect }: Vector): string | null {
  if (kind !== 'page') return null;
  if ('failed' in input || ('finalUrl' in input && input.url !== input.finalUrl))
    return 'it fetches no pages, so that there are neither failures nor redirects';
  if ('verdict' in expect && expect.verdict === 'product_deleted')
    return 'only the registry knows what was deleted';
  if ('verdict' in expect && GATES.includes(expect.verdict))
    return 'it recognises neither password pages nor bot walls';
  const { conclusion } = expect as { readonly conclusion?: string };
  return OF_FACTS.includes(conclusion ?? '') ? 'it does not read what a page states about its product' : null;
}
