import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { ProfileVector, Vector } from '../../kit/vectors.ts';
import { expectedByAge, expectedWithoutRegistry, type Outcome, type Transport } from './transport.ts';

/** What the program answers to a request. */
export interface Answer {
  readonly refused?: string;
  readonly status?: string;
  readonly checks?: Readonly<Record<string, readonly [boolean | null, string]>>;
  readonly profiles?: Readonly<Record<string, string>>;
  readonly warnings?: readonly string[];
  readonly errors?: readonly string[];
  readonly conclusion?: string;
  readonly withdrawal?: { readonly status: string | null; readonly reason: string };
  /** For a withdrawal: the addresses of status lists that were asked for. */
  readonly requested?: readonly string[];
}

/** A verifier of another language in a process of its own: a line for each request, and one for its answer. */
export interface Verifying {
  readonly ask: (requests: readonly object[]) => Promise<readonly unknown[]>;
  readonly close: () => void;
}

/** `sdk/php`. */
export function phpVerifier(): Verifying {
  const program = join(import.meta.dirname, '../../../sdk/php/tests/vectors.php');
  const child = spawn('php', [program], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    async ask(requests) {
      child.stdin.write(requests.map((request) => `${JSON.stringify(request)}\n`).join(''));
      const answers: unknown[] = [];
      while (answers.length < requests.length) {
        const { value, done } = await lines.next();
        if (done) throw new Error('the PHP process ended');
        answers.push(JSON.parse(value));
      }
      return answers;
    },
    close: () => child.stdin.end(),
  };
}

/** `sdk/php` for the vectors; it reads neither pages nor images. */
export function phpTransport(): Transport {
  const verifying = phpVerifier();
  return {
    name: 'php',
    cannot: ({ kind }) => (kind === 'page' ? 'pages are not read' : null),
    expected(vector, [first]) {
      if (vector.context.issuers.length === 0) return { status: 'refused: no_trusted_issuer' };
      if (!hasKeys(first?.jwks)) return { status: 'refused: keys_unavailable' };
      return vector.kind === 'profile'
        ? expectedWithoutImage(vector)
        : expectedByAge(expectedWithoutRegistry)(vector);
    },
    async run(vector, keys) {
      const { kind, input, context } = vector;
      const [answer] = await verifying.ask([{ kind, ...input, ...context, keys }]);
      return outcomeOf(vector, answer as Answer);
    },
    close: async () => verifying.close(),
  };
}

function hasKeys(jwks: unknown): boolean {
  const keys: unknown = (jwks as { keys?: unknown } | null)?.keys;
  return Array.isArray(keys) && keys.length > 0;
}

/** Reasons and notes that only the bytes of an image give. */
const OF_IMAGES = /^(image_|manifest_|signer_)/;

/** The same without the bytes of an image: Full is never trusted. */
function expectedWithoutImage({ expect }: ProfileVector): Outcome {
  const { imageBound: _, c2paValid: __, ...checks } = expect.checks;
  const { minimal, standard } = expect.profiles;
  const full = standard === 'untrusted' ? 'untrusted' : 'undetermined';
  const notOfImages = (codes: readonly string[]) => codes.filter((code) => !OF_IMAGES.test(code)).toSorted();
  // a claim of an image is judged with its bytes alone
  const isOfClaim = Object.values(checks).some(({ reason }) => reason === 'claim_wrong_type');
  const errors = notOfImages(expect.errors).filter((code) => code !== 'claim_wrong_type' || isOfClaim);
  return {
    profiles: { minimal: minimal as string, standard: standard as string, full },
    checks,
    warnings: notOfImages(expect.warnings),
    errors,
  };
}

/** An answer about a vector, or about a generated document with its conclusion. */
export function outcomeOf(
  { kind }: Pick<Vector, 'kind'>,
  answer: Answer,
  isConcluded = kind === 'withdrawal',
): Outcome {
  const { refused, status, profiles, checks = {}, warnings, errors, withdrawal, requested } = answer;
  if (refused !== undefined) return { status: `refused: ${refused}` };
  const answers = Object.entries(checks)
    .filter(([name]) => name !== 'imageBound' && name !== 'c2paValid')
    .map(([name, [result, reason]]) => [name, { result, reason }] as const);
  return {
    ...(status === undefined ? {} : { status }),
    ...(profiles === undefined ? {} : { profiles }),
    ...(kind === 'withdrawal' ? { withdrawal, requested } : { checks: Object.fromEntries(answers) }),
    ...(isConcluded ? { conclusion: answer.conclusion } : {}),
    ...(warnings === undefined ? {} : { warnings: warnings.toSorted() }),
    ...(errors === undefined ? {} : { errors: errors.toSorted() }),
  } as Outcome;
}
