import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { PYTHON } from '../../kit/python.ts';
import type { Vector } from '../../kit/vectors.ts';
import { expectedByAge, expectedWithoutRegistry, type Outcome, type Transport } from './transport.ts';

interface Answer {
  readonly refused?: string;
  readonly status?: string;
  readonly checks?: Readonly<Record<string, readonly [boolean | null, string]>>;
  readonly warnings?: readonly string[];
  readonly errors?: readonly string[];
  readonly withdrawal?: { readonly status: string | null; readonly reason: string };
  /** For a withdrawal: the addresses of status lists that were asked for. */
  readonly requested?: readonly string[];
}

/** `examples/verify.py`: a verifier that shares no code with ours, in one process for all vectors. */
export function pythonTransport(): Transport {
  const child = spawn(PYTHON, [join(import.meta.dirname, 'verify_lines.py')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    name: 'python',
    cannot: ({ kind }) =>
      kind === 'page' || kind === 'profile' ? 'the file reads neither pages nor images' : null,
    // it draws no conclusions
    expected: (vector) => {
      const { conclusion: _, ...expected } = expectedByAge(expectedWithoutRegistry)(vector);
      return expected;
    },
    async run(vector, keys) {
      child.stdin.write(`${JSON.stringify({ ...requestOf(vector), keys })}\n`);
      const { value, done } = await lines.next();
      if (done) throw new Error('the Python process ended');
      return outcomeOf(JSON.parse(value) as Answer);
    },
    close: async () => {
      child.stdin.end();
    },
  };
}

function requestOf(vector: Vector): object {
  if (vector.kind === 'page' || vector.kind === 'profile') throw new Error('not asked about');
  const { kind, input, context, keysReadAt } = vector;
  return { kind, ...input, ...context, keysReadAt };
}

function outcomeOf(answer: Answer): Outcome {
  const { refused, status, checks = {}, warnings, errors, withdrawal, requested } = answer;
  if (refused !== undefined) return { status: `refused: ${refused}` };
  const answers = Object.entries(checks).map(
    ([name, [result, reason]]) => [name, { result, reason }] as const,
  );
  return {
    ...(status === undefined ? {} : { status }),
    ...(withdrawal === undefined || requested === undefined
      ? { checks: Object.fromEntries(answers) }
      : { withdrawal: { status: withdrawal.status, reason: withdrawal.reason }, requested }),
    ...(warnings === undefined ? {} : { warnings: warnings.toSorted() }),
    ...(errors === undefined ? {} : { errors: errors.toSorted() }),
  };
}
