import { spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Vector } from '../../kit/vectors.ts';
import { expectedByAge, expectedWithoutRegistry, type Outcome, type Transport } from './transport.ts';

/** Whether Python is installed, for `examples/verify.py`. */
export function hasPython(): boolean {
  return spawnSync('python3', ['--version']).status === 0;
}

interface Answer {
  readonly refused?: string;
  readonly status?: string;
  readonly checks?: Readonly<Record<string, readonly [boolean | null, string]>>;
  readonly warnings?: readonly string[];
  readonly errors?: readonly string[];
}

/** `examples/verify.py`: a verifier that shares no code with ours, in one process for all vectors. */
export function pythonTransport(): Transport {
  const child = spawn('python3', [join(import.meta.dirname, 'verify_lines.py')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    name: 'python',
    cannot: ({ kind }) =>
      kind === 'document' || kind === 'proof' ? null : 'the file reads neither pages nor images',
    expected: expectedByAge(expectedWithoutRegistry),
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
  if (vector.kind !== 'document' && vector.kind !== 'proof') throw new Error('not asked about');
  const { kind, input, context, keysReadAt } = vector;
  return { kind, ...input, ...context, keysReadAt };
}

function outcomeOf({ refused, status, checks = {}, warnings, errors }: Answer): Outcome {
  if (refused !== undefined) return { status: `refused: ${refused}` };
  const answers = Object.entries(checks).map(
    ([name, [result, reason]]) => [name, { result, reason }] as const,
  );
  return {
    ...(status === undefined ? {} : { status }),
    checks: Object.fromEntries(answers),
    ...(warnings === undefined ? {} : { warnings: warnings.toSorted() }),
    ...(errors === undefined ? {} : { errors: errors.toSorted() }),
  };
}
