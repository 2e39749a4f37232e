import { CHECK_NAMES, type CheckName } from '@touchstone/certificate/verify';
import { PAGE_VERDICTS, type PageVerdict } from '@touchstone/page';
import { cannotTell } from '../cli-error.ts';
import { isRecord } from '../client/problem.ts';

/** A page check report (spec "Page check report"), as far as it is shown. */
export interface PageCheckReport {
  readonly id: string;
  readonly url: string;
  readonly finalUrl: string;
  readonly fetchedAt: string;
  readonly verdict: PageVerdict;
  readonly platform: string;
  readonly certificate: {
    readonly productId?: string;
    readonly issuedTo?: string;
    readonly checks?: Readonly<Partial<Record<CheckName, boolean | null>>>;
  };
  /** Facts that the page states, in the order of the report. */
  readonly facts: readonly (readonly [name: string, value: string])[];
  readonly findings: readonly string[];
  readonly warnings: readonly string[];
  readonly errors: readonly string[];
}

/**
 * Reads the service's answer.
 *
 * @throws CliError when it is no report: a verdict that is not understood must never pass for a good one
 */
export function readReport(answer: unknown, serviceUrl: string): PageCheckReport {
  const report = isRecord(answer) ? answer : {};
  const verdict = PAGE_VERDICTS.find((known) => known === report.verdict);
  if (verdict === undefined) {
    throw cannotTell(
      `The answer of ${serviceUrl} is no page check report.`,
      'Are service and command of one version?',
    );
  }
  const node = isRecord(report.mc4p) ? report.mc4p : {};
  return {
    id: text(report.id) ?? '',
    url: text(report.url) ?? '',
    finalUrl: text(report.final_url) ?? '',
    fetchedAt: text(report.fetched_at) ?? '',
    verdict,
    platform: text(report.platform_detected) ?? '',
    certificate: {
      ...optional('productId', text(node.product_id)),
      ...optional('issuedTo', text(node.issued_to)),
      ...(isRecord(node.checks) ? { checks: checksOf(node.checks) } : {}),
    },
    facts: factsOf(report.facts),
    findings: texts(report.findings),
    warnings: texts(report.warnings),
    errors: texts(report.errors),
  };
}

/** Facts as `name: value`, images counted. */
export function factsOf(facts: unknown): (readonly [string, string])[] {
  if (!isRecord(facts)) return [];
  const told: (readonly [string, string])[] = [];
  for (const [name, fact] of Object.entries(facts)) {
    if (Array.isArray(fact) && fact.length > 0) told.push([name, String(fact.length)]);
    else if (isRecord(fact) && typeof fact.value === 'string') told.push([name, shorten(fact.value)]);
  }
  return told;
}

function shorten(value: string): string {
  return value.length <= 100 ? value : `${value.slice(0, 100).toWellFormed()}…`;
}

function checksOf(checks: Readonly<Record<string, unknown>>): Partial<Record<CheckName, boolean | null>> {
  const known: Partial<Record<CheckName, boolean | null>> = {};
  for (const name of CHECK_NAMES) {
    const result = checks[name];
    if (typeof result === 'boolean' || result === null) known[name] = result;
  }
  return known;
}

function optional<K extends string>(key: K, value: string | undefined): { [name in K]?: string } {
  return (value === undefined ? {} : { [key]: value }) as { [name in K]?: string };
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((entry) => typeof entry === 'string') : [];
}
