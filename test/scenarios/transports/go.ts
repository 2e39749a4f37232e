import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { ROOT } from '../../kit/imports.ts';
import type { CheckExpectation, Vector, VectorKeys } from '../../kit/vectors.ts';
import { expectedByAge, expectedWithoutRegistry, type Outcome, type Transport } from './transport.ts';

/** Whether Go is installed. */
export const hasGo = spawnSync('go', ['version']).status === 0;

export const GO_SDK = join(ROOT, 'sdk/go');

interface Answer {
  readonly refused?: string;
  readonly error?: string;
  readonly status?: string;
  readonly checks?: Readonly<Record<string, CheckExpectation>>;
  readonly profiles?: Readonly<Record<string, string>>;
  readonly warnings?: readonly string[];
  readonly errors?: readonly string[];
  readonly conclusion?: { readonly code: string };
  readonly withdrawal?: { readonly status: string | null; readonly reason: string };
  readonly requested?: readonly string[];
  readonly sentences?: Readonly<Record<string, string>>;
}

/** A program that answers one line of JSON with another. */
export interface LineProgram {
  ask(requests: readonly object[]): Promise<readonly Answer[]>;
  close(): Promise<void>;
}

/** `sdk/go/cmd/vectors`, built in a folder. */
export function startGo(folder: string): LineProgram {
  const program = join(folder, 'vectors');
  const built = spawnSync('go', ['build', '-o', program, './cmd/vectors'], { cwd: GO_SDK, encoding: 'utf8' });
  if (built.status !== 0) throw new Error(built.stderr);
  const child = spawn(program, [], { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    async ask(requests) {
      child.stdin.write(requests.map((one) => `${JSON.stringify(withText(one))}\n`).join(''));
      const answers: Answer[] = [];
      for (const _ of requests) {
        const { value, done } = await lines.next();
        if (done) throw new Error('the Go process ended');
        answers.push(JSON.parse(value) as Answer);
      }
      return answers;
    },
    async close() {
      child.stdin.end();
      await ended;
    },
  };
}

/** The verifier in Go, in one process for all vectors. */
export function goTransport(program: LineProgram): Transport {
  return {
    name: 'go',
    cannot: ({ kind }) => (kind === 'page' ? 'it reads no pages' : null),
    expected: (vector, keys) => {
      const refused = refusal(vector, keys);
      if (refused !== null) return { status: `refused: ${refused}` };
      const expected = expectedByAge(expectedWithoutRegistry)(vector);
      return vector.kind === 'profile' ? withoutBytes(expected) : expected;
    },
    async run(vector, keys) {
      const { kind, input, context } = vector;
      const [answer] = await program.ask([{ kind, ...input, ...context, keys }]);
      const outcome = outcomeOf(answer as Answer);
      if (kind === 'profile') return withoutBytes(outcome);
      if (kind !== 'withdrawal') return without(outcome, kind === 'document' ? ['conclusion'] : []);
      return without(outcome, ['checks']);
    },
    close: async () => {},
  };
}

/** Go takes a document as its text, as it stands on the page; what a service answers is text, too. */
function withText(request: object): object {
  const { document, served, jwt, ...rest } = request as Readonly<Record<string, unknown>>;
  const text = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));
  return {
    ...rest,
    ...(document === undefined || document === null ? {} : { document: text(document) }),
    // a proof is a text in Go
    ...(jwt === undefined ? {} : { jwt: typeof jwt === 'string' ? jwt : '' }),
    ...(served === undefined
      ? {}
      : { served: Object.fromEntries(Object.entries(served as object).map(([at, one]) => [at, text(one)])) }),
  };
}

/** Nobody is trusted, or keys that are given are none: every signature would look forged. */
function refusal({ context }: Vector, keys: VectorKeys): string | null {
  if (context.issuers.length === 0) return 'no_trusted_issuer';
  const isEmpty = ({ jwks }: { jwks: unknown }) => {
    const entries = (jwks as { keys?: unknown } | null | undefined)?.keys;
    return !Array.isArray(entries) || entries.length === 0;
  };
  return keys.some(isEmpty) ? 'keys_unavailable' : null;
}

/** Images are not read. */
function withoutBytes({ profiles = {}, checks = {}, warnings = [], errors = [] }: Outcome): Outcome {
  const { full: _, ...others } = profiles;
  const { imageBound: __, c2paValid: ___, ...proof } = checks;
  const reasons = Object.values(proof).map((check) => (check as CheckExpectation).reason);
  return {
    profiles: others,
    checks: proof,
    warnings: warnings.filter((code) => code !== 'signer_untrusted' && code !== 'image_source'),
    errors: errors.filter((code) => reasons.includes(code)),
  };
}

function without(outcome: Outcome, names: readonly string[]): Outcome {
  return Object.fromEntries(Object.entries(outcome).filter(([name]) => !names.includes(name)));
}

export function outcomeOf({ refused, error, conclusion, ...told }: Answer): Outcome {
  if (error !== undefined) throw new Error(error);
  if (refused !== undefined) return { status: `refused: ${refused}` };
  return { ...told, ...(conclusion === undefined ? {} : { conclusion: conclusion.code }) };
}
