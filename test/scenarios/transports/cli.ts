import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LANDING_WARNINGS } from '../../../packages/certificate/src/index.ts';
import { runCli } from '../../../packages/cli/src/testing.ts';
import { COMPACT_JWS, kindOf } from '../../../packages/cli/src/verify/found-node.ts';
import type { CheckExpectation, Vector, VectorKeys } from '../../kit/vectors.ts';
import {
  answersOf,
  codesOf,
  expectedWithoutRegistry,
  type Outcome,
  pageOutcome,
  proofAnswers,
  type Transport,
} from './transport.ts';

const SOME_PRODUCT = '7c9e6679-7425-40de-944b-e07fc1f90ae7';
const SOME_PAGE = 'https://shop.example/products/kettle';

/** `touchstone verify - --jwks <file> --issuer … --page-url … --json`: no network, no registry. */
export async function cliTransport(): Promise<Transport> {
  const folder = await mkdtemp(join(tmpdir(), 'touchstone-vectors-'));
  const files = new Map<unknown, string>();
  const fileOf = async (jwks: unknown): Promise<string> => {
    const known = files.get(jwks);
    if (known !== undefined) return known;
    const path = join(folder, `${files.size}.json`);
    await writeFile(path, JSON.stringify(jwks));
    files.set(jwks, path);
    return path;
  };
  return {
    name: 'cli',
    cannot,
    expected: (vector, keys) => {
      const refused = refusal(vector, keys);
      if (refused !== null) return { status: `refused: exit ${refused}` };
      const expected = fromFile(expectedWithoutRegistry(vector), vector);
      return vector.kind === 'profile' ? withoutBytes(expected) : expected;
    },
    async run(vector, keys) {
      const options: string[] = [];
      for (const { issuers, jwks } of keys)
        options.push('--jwks', namedFile(vector, issuers, await fileOf(jwks)));
      if (vector.keysReadAt !== undefined) options.push('--keys-fetched-at', vector.keysReadAt);
      const argv = ['verify', '-', '--json', ...options, ...argumentsOf(vector)];
      const ran = await runCli(argv, { stdin: stdinOf(vector), now: new Date(vector.context.now) });
      return outcomeOf(vector, ran.code, ran.out);
    },
    close: () => rm(folder, { recursive: true, force: true }),
  };
}

function cannot(vector: Vector): string | null {
  if (vector.kind === 'withdrawal') return 'addresses that answer are given to the core only';
  if (vector.kind === 'profile') {
    const { domain, pageUrl } = vector.context;
    if (vector.input.document === undefined) return 'an empty file is no certificate';
    if (pageUrl === undefined) return 'the command takes the domain from the page';
    if (new URL(pageUrl).hostname !== domain) return 'the command takes the domain from the page';
  }
  if (vector.kind === 'proof' && vector.context.proofKind !== 'product') {
    return 'the command verifies product certificates';
  }
  if (vector.kind === 'proof' && kindOf({ proof: { jwt: vector.input.jwt } }) !== 'product') {
    return 'a proof alone is verified as what it says it is';
  }
  if (
    vector.kind === 'document' &&
    typeof vector.input.document === 'string' &&
    COMPACT_JWS.test(vector.input.document)
  )
    return 'a proof alone is verified, too';
  if (vector.kind === 'page') {
    if (vector.input.failed !== undefined) return 'a saved page was fetched';
    if (vector.expect.verdict === 'product_deleted') return 'only the registry knows what was deleted';
  }
  if (vector.kind === 'document' && !isObjectOrText(vector.input.document)) {
    return 'a file that holds neither an object, a list nor a text is read as HTML';
  }
  return null;
}

const isObjectOrText = (document: unknown) =>
  document === undefined ||
  typeof document === 'string' ||
  (typeof document === 'object' && document !== null);

/** The exit code if the command does not verify at all; `null` if it does. */
function refusal(vector: Vector, [first]: VectorKeys): 3 | 64 | null {
  if (vector.kind === 'document') {
    if (vector.input.document === undefined) return 64;
    if (!/^https?:$/.test(URL.parse(vector.context.pageUrl)?.protocol ?? '')) return 64;
  }
  if (vector.context.issuers.length === 0 || vector.expect.refused !== undefined) return 3;
  return hasKeys(first?.jwks) ? null : 3;
}

/** Without any key nothing can be verified: every signature would look forged. */
function hasKeys(jwks: unknown): boolean {
  if (typeof jwks !== 'object' || jwks === null || !('keys' in jwks)) return false;
  return Array.isArray(jwks.keys) && jwks.keys.length > 0;
}

/** A saved page does not contain the requested address. */
function fromFile(expected: Outcome, vector: Vector): Outcome {
  if (vector.kind !== 'page') return expected;
  const { lead, warnings = [], findings = [], ...rest } = expected;
  const isLanding = (code = '') => (LANDING_WARNINGS as readonly string[]).includes(code);
  const kept = warnings.filter((code) => !isLanding(code));
  const first = isLanding(lead) ? kept[0] : lead;
  return {
    ...rest,
    ...(first === undefined ? {} : { lead: first }),
    warnings: kept,
    findings: findings.filter((code) => code !== 'page_judged'),
  };
}

/** The images of the vectors cannot be opened by a manifest reader, so the command gets none. */
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

/** A file need not be named after an issuer if there is only one. */
function namedFile({ context }: Vector, issuers: readonly string[], file: string): string {
  return context.issuers.length > 1 ? `${issuers.join(',')}=${file}` : file;
}

function argumentsOf(vector: Vector): string[] {
  const trusted = vector.context.issuers.flatMap((issuer) => ['--issuer', issuer]);
  if (vector.kind === 'page') return [...trusted, '--page-url', vector.input.finalUrl];
  if (vector.kind === 'profile') {
    const { pageUrl, productId } = vector.context;
    const product = productId === undefined ? [] : ['--product-id', productId];
    return [...trusted, `--page-url=${pageUrl}`, ...product, '--profile', 'standard'];
  }
  const { pageUrl, productId } =
    vector.kind === 'document' ? vector.context : { pageUrl: SOME_PAGE, productId: SOME_PRODUCT };
  return [...trusted, `--page-url=${pageUrl}`, '--product-id', productId];
}

function stdinOf(vector: Vector): string {
  if (vector.kind === 'page') return vector.input.html ?? '';
  if (vector.kind === 'proof') return JSON.stringify({ proof: { jwt: vector.input.jwt } });
  return JSON.stringify(vector.input.document) ?? '';
}

/** The exit code must match the output: scripts read nothing else. */
const EXIT_OF: Readonly<Record<string, number>> = {
  verified: 0,
  failed: 1,
  checks_failed: 1,
  canonical_mismatch: 1,
  invalid_certificate: 1,
  unverified: 2,
  no_certificate: 2,
  certificate_expired: 2,
  page_fetch_failed: 3,
  password_protected: 3,
};

function outcomeOf(vector: Vector, code: number, out: string): Outcome {
  const told = JSON.parse(out) as Record<string, unknown>;
  if ('error' in told) return { status: `refused: exit ${code}` };
  if (vector.kind === 'profile') return profileOutcome(code, told);
  const verdict = String(told.verdict ?? told.status);
  const { level } = told.conclusion as { level: string };
  const expected = verdict === 'verified' && level === 'caution' ? 3 : EXIT_OF[verdict];
  if (expected !== code) throw new Error(`printed ${verdict} and exited with ${code}`);
  if (vector.kind === 'page') {
    return pageOutcome(vector, told as unknown as Parameters<typeof pageOutcome>[1]);
  }
  const checks = answersOf(told.checkDetails as Parameters<typeof answersOf>[0]);
  if (vector.kind === 'proof') return proofAnswers(checks);
  return {
    status: verdict,
    checks,
    warnings: codesOf(told.warnings as string[]),
    errors: codesOf(told.errors as string[]),
  };
}

/** Exit codes of `verify --profile`. */
const EXIT_OF_STATUS: Readonly<Record<string, number>> = { trusted: 0, untrusted: 1, undetermined: 3 };

function profileOutcome(code: number, told: Record<string, unknown>): Outcome {
  if (EXIT_OF_STATUS[String(told.status)] !== code) {
    throw new Error(`printed ${told.status} and exited with ${code}`);
  }
  return withoutBytes({
    profiles: told.profiles as Record<string, string>,
    checks: answersOf(told.checks as Parameters<typeof answersOf>[0]),
    warnings: codesOf(told.warnings as string[]),
    errors: codesOf(told.errors as string[]),
  });
}
