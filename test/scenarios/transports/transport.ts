import {
  CHECKS,
  type Check,
  type CheckExpectation,
  type DocumentVector,
  type ExpectedFact,
  type PageVector,
  type ProfileCheck,
  type Vector,
  type VectorKeys,
} from '../../kit/vector-format.ts';

/** A transport's result for a vector, in the terms of the vector format. Lists of codes are sorted. */
export interface Outcome {
  /** For a document; `refused: …` if this transport rejects it with its own error. */
  readonly status?: string;
  /** For a page. */
  readonly verdict?: string;
  readonly checks?: Readonly<Partial<Record<Check | ProfileCheck, CheckExpectation | boolean | null>>>;
  /** By profile. */
  readonly profiles?: Readonly<Record<string, string>>;
  readonly warnings?: readonly string[];
  readonly errors?: readonly string[];
  /** For a page: the code that is reported first. */
  readonly lead?: string;
  /** For a page: those that the vector mentions. */
  readonly findings?: readonly string[];
  /** For a page: those that the vector mentions, with the members that it names. */
  readonly facts?: Readonly<Record<string, ExpectedFact | null>>;
  /** For a page, if the vector states it; for a withdrawal. */
  readonly conclusion?: string;
  /** For a withdrawal, like `requested`: addresses of status lists. */
  readonly withdrawal?: { readonly status: string | null; readonly reason: string };
  readonly requested?: readonly string[];
}

/** One way to verify. All must have the same result. */
export interface Transport {
  readonly name: string;
  /** Why this transport does not support a vector; `null` if it does. A test counts these, so that none is skipped silently. */
  readonly cannot: (vector: Vector) => string | null;
  /** The expected result. */
  readonly expected: (vector: Vector, keys: VectorKeys) => Outcome;
  readonly run: (vector: Vector, keys: VectorKeys) => Promise<Outcome>;
  readonly close: () => Promise<void>;
}

/** The code of each `code: sentence`, sorted. */
export function codesOf(notes: readonly string[]): string[] {
  return notes.map((text) => text.slice(0, text.indexOf(':'))).toSorted();
}

/** Result and reason of each check, without the compared values. */
export function answersOf(
  details: Readonly<Record<string, { readonly result: boolean | null; readonly reason: string }>>,
): Partial<Record<Check, CheckExpectation>> {
  const entries = Object.entries(details).map(
    ([name, { result, reason }]) => [name, { result, reason }] as const,
  );
  return Object.fromEntries(entries);
}

/** The answers for a proof by itself, from those for a document that contains nothing else. */
export function proofAnswers(all: Partial<Record<Check, CheckExpectation>>): Outcome {
  const { signatureValid, certificateIntegrity, timestampValid } = all as Record<Check, CheckExpectation>;
  return { checks: { signatureValid, certificateIntegrity, timestampValid } };
}

/** A page report in the terms of the format. */
export function pageOutcome(
  { expect }: PageVector,
  report: {
    readonly verdict: string;
    readonly conclusion: { readonly code: string };
    readonly mc4p: { readonly checks?: Readonly<Record<Check, boolean | null>> | undefined };
    readonly findings: readonly string[];
    readonly warnings: readonly string[];
    readonly errors: readonly string[];
    readonly facts: Readonly<Record<string, unknown>>;
  },
): Outcome {
  const { checks } = report.mc4p;
  const [lead] = [...report.errors, ...report.warnings];
  const spokenOf = [...expect.findings, ...expect.notFindings];
  return {
    verdict: report.verdict,
    ...(lead === undefined ? {} : { lead: lead.slice(0, lead.indexOf(':')) }),
    ...(checks === undefined ? {} : { checks }),
    warnings: codesOf(report.warnings),
    errors: codesOf(report.errors),
    // a page may also give findings about its facts
    findings: codesOf(report.findings)
      .filter((code) => spokenOf.includes(code))
      .filter(isFirst),
    ...(expect.facts === undefined ? {} : { facts: namedMembers(report.facts, expect.facts) }),
    ...(expect.conclusion === undefined ? {} : { conclusion: report.conclusion.code }),
  };
}

/** The expected members of each expected fact in the report; `null` if the report does not have the fact. */
function namedMembers(
  told: Readonly<Record<string, unknown>>,
  expected: Readonly<Record<string, ExpectedFact | null>>,
): Readonly<Record<string, ExpectedFact | null>> {
  const entries = Object.entries(expected).map(([name, members]) => {
    const fact = told[name] as ExpectedFact | null | undefined;
    if (fact === null || fact === undefined || members === null) return [name, fact ?? null] as const;
    const named = Object.keys(members).map((member) => [member, fact[member]] as const);
    return [name, Object.fromEntries(named) as ExpectedFact] as const;
  });
  return Object.fromEntries(entries);
}

const isFirst = (code: string, index: number, all: readonly string[]) => all.indexOf(code) === index;

/** For a verifier that knows when the keys were read, which may have to refuse. */
export function expectedByAge(expected: (vector: Vector) => Outcome): (vector: Vector) => Outcome {
  return (vector) =>
    vector.expect.refused === undefined ? expected(vector) : { status: `refused: ${vector.expect.refused}` };
}

/** The expected result of a verifier with the registry. */
export function expectedWithRegistry(vector: Vector): Outcome {
  if (vector.kind === 'proof') return { checks: vector.expect.checks };
  const { warnings, errors } = vector.expect;
  const notes = { warnings: [...warnings].toSorted(), errors: [...errors].toSorted() };
  if (vector.kind === 'document') {
    return { status: vector.expect.status, checks: vector.expect.checks, ...notes };
  }
  if (vector.kind === 'profile') {
    return { profiles: vector.expect.profiles, checks: vector.expect.checks, ...notes };
  }
  if (vector.kind === 'withdrawal') {
    const { status, withdrawal, requested, conclusion } = vector.expect;
    return { status, withdrawal, requested, conclusion, ...notes };
  }
  const { verdict, checks, findings, lead, facts, conclusion } = vector.expect;
  return {
    verdict,
    ...(checks === undefined ? {} : { checks }),
    ...(lead === undefined ? {} : { lead }),
    ...notes,
    findings: findings.toSorted(),
    ...(facts === undefined ? {} : { facts }),
    ...(conclusion === undefined ? {} : { conclusion }),
  };
}

const ASKS_REGISTRY: readonly Check[] = ['domainKnown', 'domainVerified', 'trustDataCurrent'];
const TOLD_BY_REGISTRY = new Set([
  'domain_unknown',
  'domain_unverified',
  'coverage_changed',
  'product_not_publishing',
  'registry_stale',
]);

/**
 * The expected result of a verifier without a registry (docs/vectors.md, "Without the registry"): the three advisory checks do not run,
 * warnings that need the registry are absent, and another address of the shop cannot be distinguished from a copy.
 */
export function expectedWithoutRegistry(vector: Vector): Outcome {
  const { lead, ...told } = withoutLostHosts(vector, withEveryRedirect(vector, expectedWithRegistry(vector)));
  // neither a proof by itself nor a profile uses it
  if (vector.kind === 'proof' || vector.kind === 'profile' || vector.kind === 'withdrawal') return told;
  return {
    ...told,
    ...(lead === undefined || TOLD_BY_REGISTRY.has(lead) ? {} : { lead: offlineCode(lead) }),
    ...(vector.kind === 'page' ? pageOffline(vector) : documentChecks(vector)),
    warnings: (told.warnings ?? []).filter((code) => !TOLD_BY_REGISTRY.has(code) && !isAdvice(vector, code)),
    errors: (told.errors ?? []).map(offlineCode).toSorted(),
  };
}

const REDIRECTED = 'redirected_to_another_host';

/** Without a registry, no two hosts are known to belong to one store. */
function withEveryRedirect(vector: Vector, all: Outcome): Outcome {
  if (vector.kind !== 'page' || all.warnings?.includes(REDIRECTED)) return all;
  const { url, finalUrl } = vector.input;
  const [asked, landed] = [url, finalUrl].map((address) => new URL(address).hostname.replace(/\.$/, ''));
  if (asked === landed) return all;
  // known to be another page of the store, with the registry
  const told = { ...all, warnings: all.warnings?.filter((code) => code !== 'redirected_to_another_page') };
  const warnings = [...(told.warnings ?? []), REDIRECTED].toSorted();
  return told.errors?.length ? { ...told, warnings } : { ...told, warnings, lead: REDIRECTED };
}

/** Only the registry knows who has proven a host since, and who owns a page. */
function withoutLostHosts(vector: Vector, told: Outcome): Outcome {
  const findings = told.findings?.filter((code) => code !== 'certificate_outranked');
  const known = { ...told, ...(findings === undefined ? {} : { findings }) };
  if (!told.errors?.includes('host_lost')) return known;
  const { lead: _, ...rest } = known;
  const errors = told.errors.filter((code) => code !== 'host_lost');
  if (vector.kind === 'document') {
    return { ...rest, errors, status: errors.length === 0 ? 'verified' : 'failed' };
  }
  const expired = errors.length === 1 && errors[0] === 'proof_expired';
  if (!expired) return { ...rest, errors, verdict: errors.length === 0 ? 'verified' : 'checks_failed' };
  const warnings = [...(told.warnings ?? []), 'certificate_past_lifetime', 'proof_expired'].toSorted();
  return { ...rest, errors: [], warnings, lead: 'certificate_past_lifetime', verdict: 'certificate_expired' };
}

function offlineCode(code: string): string {
  return code === 'another_address_of_shop' ? 'domain_differs' : code;
}

function documentChecks({ expect }: DocumentVector): Partial<Outcome> {
  const offline: Record<string, CheckExpectation> = { ...expect.checks };
  for (const name of ASKS_REGISTRY) {
    if (expect.checks[name].reason === 'nothing_signed') continue;
    offline[name] = { result: null, reason: 'registry_not_asked' };
  }
  if (expect.checks.boundToDomain.reason === 'host_lost') {
    offline.boundToDomain = { result: true, reason: 'ok' };
  }
  if (expect.checks.boundToDomain.reason === 'another_address_of_shop') {
    offline.boundToDomain = { result: false, reason: 'domain_differs' };
  }
  return { checks: offline };
}

function pageOffline({ expect }: PageVector): Partial<Outcome> {
  const { conclusionWithoutRegistry: conclusion } = expect;
  const concluded = conclusion === undefined ? {} : { conclusion };
  if (expect.checks === undefined) return concluded;
  const entries = CHECKS.map((name) => [name, ASKS_REGISTRY.includes(name) ? null : expect.checks?.[name]]);
  const checks = Object.fromEntries(entries);
  return {
    checks: expect.errors.includes('host_lost') ? { ...checks, boundToDomain: true } : checks,
    ...concluded,
  };
}

/** The reason of an advisory check for an unreadable proof: without a registry it does not run. */
function isAdvice(vector: DocumentVector | PageVector, code: string): boolean {
  if (vector.kind === 'page') return code !== 'proof_expired' && vector.expect.errors.includes(code);
  return vector.expect.checks.trustDataCurrent.reason === code && code !== 'nothing_signed';
}
