import type { PageReport } from '@touchstone/page';
import type { PageCase } from '../../../bench/pages/facts/corpus.ts';
import { runCli } from '../../../packages/cli/src/testing.ts';
import { operate } from '../../kit/registry.ts';
import { type CertifiedPage, type CertifiedShops, openCertifiedShops } from './certified-shops.ts';
import { addressOf, htmlOf, VARIANTS, type Variant } from './variants.ts';

/** The results for one page in one variant. */
export interface Outcome {
  readonly variant: Variant;
  readonly page: CertifiedPage;
  /** The checked address. */
  readonly url: string;
  readonly report: PageReport;
  /** Duration of the page check, from request to response. */
  readonly milliseconds: number;
  /** Exit codes: of a check by the service, and of local verification with only the service's keys. */
  readonly exits: Readonly<Record<'check' | 'verify', number>>;
}

/**
 * Checks every page in every variant, over HTTP and by both commands, one after the other, so that each check is timed separately. No check
 * uses a cache: each fetches and reads its page.
 */
export async function checkVariants(cases: readonly PageCase[]): Promise<Outcome[]> {
  const shops = await openCertifiedShops(cases);
  try {
    const outcomes: Outcome[] = [];
    for (const variant of VARIANTS) {
      for (const page of shops.pages) outcomes.push(await checkOne(variant, page, shops));
    }
    return outcomes;
  } finally {
    await shops.close();
  }
}

async function checkOne(variant: Variant, page: CertifiedPage, shops: CertifiedShops): Promise<Outcome> {
  const url = addressOf(variant, page);
  shops.sites.serve(url, htmlOf(variant, page, shops.pages));
  const start = performance.now();
  const report = await operate<PageReport>(shops.service, 'POST', '/api/v1/mc4p/page-checks', { url });
  const milliseconds = performance.now() - start;
  return { variant, page, url, report, milliseconds, exits: await runCommands(url, shops) };
}

async function runCommands(url: string, shops: CertifiedShops): Promise<Outcome['exits']> {
  const { service, sites, authorityFile } = shops;
  const check = await runCli(['check', url, '--service', service.url]);
  const here = ['--connect-to', sites.connectTo, '--ca-file', authorityFile];
  const verify = await runCli(['verify', url, '--issuer', service.baseUrl, ...here]);
  return { check: check.code, verify: verify.code };
}

/** Differences between an outcome and the expected one; empty: none. */
export function faultsOf({ variant, report, exits }: Outcome): string[] {
  const { verdict, because, exit } = variant;
  const codes = [...report.errors, ...report.warnings].map((note) => note.slice(0, note.indexOf(':')));
  const [lead = 'no reason'] = codes;
  const faults: string[] = [];
  if (report.verdict !== verdict) faults.push(`${report.verdict}, not ${verdict}`);
  if (because !== undefined && !codes.includes(because)) faults.push(`${because} is not told`);
  const leads = variant.leads ?? [because ?? 'no reason'];
  if (!leads.includes(lead)) faults.push(`${lead} leads, not ${leads.join(' or ')}`);
  if (report.mc4p.present !== (variant.carries !== undefined)) faults.push('the certificate is miscounted');
  for (const [command, code] of Object.entries(exits)) {
    const expected = report.conclusion.code === 'page_differs' ? 3 : exit;
    if (code !== expected) faults.push(`touchstone ${command} exits ${code}, not ${expected}`);
  }
  return faults;
}

/** What the service knows of a page without a certificate, which the page does not state. */
const KNOWN = /^(?:product|host)_certified_|^pictures_/;

/** The page's statements, independent of its certificate. */
export function statedIn({ facts, platform_detected, findings }: PageReport): Partial<PageReport> {
  return { facts, platform_detected, findings: findings.filter((finding) => !KNOWN.test(finding)) };
}
