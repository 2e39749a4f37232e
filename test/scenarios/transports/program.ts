import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { CheckExpectation, PageVector, Vector, VectorKeys } from '../../kit/vectors.ts';
import { expectedByAge, expectedWithoutRegistry, type Outcome, type Transport } from './transport.ts';

/** What a program answers to a request; each check is its result and its reason, all notes are codes. */
export interface ProgramAnswer {
  readonly refused?: string;
  readonly status?: string;
  readonly verdict?: string;
  readonly checks?: Readonly<Record<string, readonly [boolean | null, string]>>;
  readonly profiles?: Readonly<Record<string, string>>;
  readonly findings?: readonly string[];
  readonly warnings?: readonly string[];
  readonly errors?: readonly string[];
  readonly conclusion?: string;
  readonly withdrawal?: { readonly status: string | null; readonly reason: string };
  /** For a withdrawal: the addresses of status lists that were asked for. */
  readonly requested?: readonly string[];
}

export interface ProgramOptions {
  readonly name: string;
  readonly command: readonly [program: string, ...args: string[]];
  readonly env?: NodeJS.ProcessEnv;
  /** Why the program does not support a vector; `null` if it does. */
  readonly cannot: (vector: Vector) => string | null;
  /** Whether it is given the keys as a caller gives them, and refuses none and those that are no keys. Default: no. */
  readonly refusesKeys?: boolean;
  /** Whether it reads the bytes of images. Default: yes. */
  readonly readsImages?: boolean;
}

/** A program that reads one JSON request a line and writes one JSON answer a line. */
export interface Program {
  readonly ask: (request: object) => Promise<ProgramAnswer>;
  readonly close: () => void;
}

export function startProgram({
  name,
  command: [program, ...args],
  env,
}: Pick<ProgramOptions, 'name' | 'command' | 'env'>): Program {
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'], env });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    async ask(request) {
      child.stdin.write(`${JSON.stringify(request)}\n`);
      const { value, done } = await lines.next();
      if (done) throw new Error(`the program ${name} ended`);
      return JSON.parse(value) as ProgramAnswer;
    },
    close: () => void child.stdin.end(),
  };
}

/** A verifier in another language that shares no code with ours, in one process for all vectors. */
export function programTransport({
  cannot,
  refusesKeys = false,
  readsImages = true,
  ...options
}: ProgramOptions): Transport {
  const program = startProgram(options);
  const expected = expectedByAge(expectedWithoutRegistry);
  const read = (vector: Vector, outcome: Outcome) =>
    vector.kind === 'profile' && !readsImages ? withoutImage(outcome) : outcome;
  return {
    name: options.name,
    cannot,
    expected: (vector, keys) => {
      const refused = refusesKeys ? refusalOf(vector, keys) : null;
      if (refused !== null) return { status: `refused: ${refused}` };
      // what a page states about its product is read by none of them
      const { facts: _, ...told } = expected(vector);
      return read(vector, told);
    },
    async run(vector, keys) {
      const { kind, input, context } = vector;
      return read(vector, vectorOutcome(vector, await program.ask({ kind, ...input, ...context, keys })));
    },
    close: async () => program.close(),
  };
}

/** Nobody is trusted, or keys that are given are none: every signature would look forged. */
function refusalOf({ context }: Vector, keys: VectorKeys): string | null {
  if (context.issuers.length === 0) return 'no_trusted_issuer';
  const isEmpty = ({ jwks }: { readonly jwks: unknown }) => {
    const entries: unknown = (jwks as { keys?: unknown } | null | undefined)?.keys;
    return !Array.isArray(entries) || entries.length === 0;
  };
  return keys.some(isEmpty) ? 'keys_unavailable' : null;
}

/** Warnings that only the bytes of an image give. */
const OF_IMAGES = ['signer_untrusted', 'image_source'];

/** What is the same without the bytes of the image. */
function withoutImage({ profiles, checks = {}, warnings = [], errors = [] }: Outcome): Outcome {
  const { full: _, ...others } = profiles ?? {};
  const { imageBound: __, c2paValid: ___, ...proof } = checks;
  const reasons = Object.values(proof).map((check) => (check as CheckExpectation).reason);
  return {
    profiles: others,
    checks: proof,
    warnings: warnings.filter((code) => !OF_IMAGES.includes(code)),
    errors: errors.filter((code) => reasons.includes(code)),
  };
}

/** What a vector of each kind compares. */
const COMPARED = {
  proof: ['checks'],
  document: ['status', 'checks', 'warnings', 'errors'],
  profile: ['profiles', 'checks', 'warnings', 'errors'],
  withdrawal: ['status', 'withdrawal', 'requested', 'warnings', 'errors', 'conclusion'],
} as const;

function vectorOutcome(vector: Vector, answer: ProgramAnswer): Outcome {
  const outcome = outcomeOf(answer);
  if (answer.refused !== undefined) return outcome;
  if (vector.kind === 'page') return pageOutcomeOf(vector, answer);
  const all = Object.entries(outcome);
  return Object.fromEntries(all.filter(([name]) => COMPARED[vector.kind].some((one) => one === name)));
}

/** Everything that was answered about a document, in the terms of the format. */
export function outcomeOf(answer: ProgramAnswer): Outcome {
  const { refused, checks, withdrawal, warnings = [], errors = [], ...told } = answer;
  if (refused !== undefined) return { status: `refused: ${refused}` };
  const answers = Object.entries(checks ?? {}).map(
    ([name, [result, reason]]) => [name, { result, reason }] as const,
  );
  return {
    ...told,
    checks: Object.fromEntries(answers),
    warnings: warnings.toSorted(),
    errors: errors.toSorted(),
    ...(withdrawal && { withdrawal: { status: withdrawal.status, reason: withdrawal.reason } }),
  };
}

function pageOutcomeOf({ expect }: PageVector, answer: ProgramAnswer): Outcome {
  const { verdict, conclusion, checks, findings = [], warnings = [], errors = [] } = answer;
  const [lead] = [...errors, ...warnings];
  const results = checks && Object.entries(checks).map(([name, [result]]) => [name, result] as const);
  const spokenOf = [...expect.findings, ...expect.notFindings];
  return {
    verdict: String(verdict),
    ...(lead === undefined ? {} : { lead }),
    ...(results && { checks: Object.fromEntries(results) }),
    warnings: warnings.toSorted(),
    errors: errors.toSorted(),
    findings: [...new Set(findings.filter((code) => spokenOf.includes(code)))].toSorted(),
    ...(expect.conclusion === undefined ? {} : { conclusion: String(conclusion) }),
  };
}
