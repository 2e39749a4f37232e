import type { Check, CheckExpectation, PageVector, Vector } from '../../support/vectors.ts';

/** What an arm made of a vector, in the words of the vector format. Lists are sorted. */
export interface Outcome {
  /** Of a document. */
  readonly status?: string;
  /** Of a page. */
  readonly verdict?: string;
  readonly checks?: Readonly<Partial<Record<Check, CheckExpectation>>>;
  readonly warnings?: readonly string[];
  readonly errors?: readonly string[];
}

/** One way in which verification is offered. All of them must come to the same. */
export interface Arm {
  readonly name: string;
  /** Why this arm cannot be asked about a vector; `null` when it can. Told in the test, never silent. */
  readonly cannot: (vector: Vector) => string | null;
  /** What the arm should come to: an arm without a registry gives the answer of one that has none. */
  readonly expected: (vector: Exclude<Vector, PageVector>) => Outcome;
  readonly run: (vector: Exclude<Vector, PageVector>, jwks: unknown) => Promise<Outcome>;
}

/** The code of each `code: sentence`, sorted. */
export function codesOf(notes: readonly string[]): string[] {
  return notes.map((text) => text.slice(0, text.indexOf(':'))).sort();
}

/** Result and reason of each check, without what it compared. */
export function answersOf(
  details: Readonly<Record<string, { readonly result: boolean | null; readonly reason: string }>>,
): Partial<Record<Check, CheckExpectation>> {
  const entries = Object.entries(details).map(
    ([name, { result, reason }]) => [name, { result, reason }] as const,
  );
  return Object.fromEntries(entries);
}

/** What a verifier that has the registry must come to. */
export function expectedWithRegistry({ kind, expect }: Exclude<Vector, PageVector>): Outcome {
  if (kind === 'proof') return { checks: expect.checks };
  const { status, checks, warnings, errors } = expect;
  return { status, checks, warnings: [...warnings].sort(), errors: [...errors].sort() };
}

const ASKS_REGISTRY = [
  'domainKnown',
  'domainVerified',
  'trustDataCurrent',
] as const satisfies readonly Check[];
const REGISTRY_WARNINGS = new Set([
  'domain_unknown',
  'domain_unverified',
  'coverage_changed',
  'product_not_publishing',
]);

/**
 * What a verifier without a registry must come to (docs/vectors.md, "Without the registry"): the three advisory
 * checks do not run, what only the registry can warn of is not told, and another address of the shop cannot be
 * told from a copy.
 */
export function expectedWithoutRegistry(vector: Exclude<Vector, PageVector>): Outcome {
  if (vector.kind === 'proof') return { checks: vector.expect.checks };
  const { status, checks, warnings, errors } = vector.expect;
  const offline: Record<string, CheckExpectation> = { ...checks };
  for (const name of ASKS_REGISTRY) {
    if (checks[name].reason === 'nothing_signed') continue;
    offline[name] = { result: null, reason: 'registry_not_asked' };
  }
  if (checks.boundToDomain.reason === 'another_address_of_shop') {
    offline.boundToDomain = { result: false, reason: 'domain_differs' };
  }
  return {
    status,
    checks: offline,
    warnings: warnings.filter((code) => !REGISTRY_WARNINGS.has(code)).sort(),
    errors: errors.map((code) => (code === 'another_address_of_shop' ? 'domain_differs' : code)).sort(),
  };
}
