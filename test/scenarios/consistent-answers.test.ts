import {
  CONCLUSION_TABLE,
  conclude,
  imageVerificationContradictions,
  LANDING_WARNINGS,
  type ReceivedReport,
  reportContradictions,
  type VerificationResult,
  verificationContradictions,
} from '@touchstone/certificate';
import { createKeySet, LOAD_BEARING_CHECKS, verify } from '@touchstone/certificate/verify';
import { judgePage } from '@touchstone/page';
import fc from 'fast-check';
import { expect } from 'vitest';
import { covers, scenario } from '../kit/scenario.ts';
import { type DocumentVector, loadVectors, type PageVector } from '../kit/vectors.ts';
import { observationOf } from './transports/core.ts';

/** Answers of an honest service to the vectors, each with the question. */
interface HonestReport {
  readonly url: string;
  readonly report: ReceivedReport;
}

interface HonestResult {
  readonly asked: { readonly productId: string; readonly pageUrl: string; readonly document?: unknown };
  readonly result: VerificationResult;
}

async function honestReport(
  { input, context, ...vector }: PageVector,
  jwks: unknown,
  withRegistry: boolean,
): Promise<HonestReport> {
  const { baseUrls, issuers, products } = context;
  const [now, keySet] = [new Date(context.now), createKeySet(jwks)];
  const { report } = await judgePage(observationOf({ input, context, ...vector }), {
    baseUrls,
    knownProduct: withRegistry ? async (productId) => products[productId] : undefined,
    verifyProduct: async (productId, { document, pageUrl }) => {
      const registry = products[productId];
      if (withRegistry && registry === undefined) return null;
      const known = withRegistry && registry !== undefined ? { registry } : {};
      return verify({ document, pageUrl, productId, keySet, issuers, now, ...known });
    },
  });
  return { url: input.url, report };
}

async function honestResult({ input, context }: DocumentVector, jwks: unknown): Promise<HonestResult> {
  const { pageUrl, productId, issuers, registry } = context;
  const [now, keySet] = [new Date(context.now), createKeySet(jwks)];
  const asked = { ...input, pageUrl, productId };
  return { asked, result: await verify({ ...asked, keySet, issuers, now, registry }) };
}

const withKeys = loadVectors().flatMap(({ jwks, vectors }) =>
  vectors.map((vector) => ({ vector, keys: jwks[vector.jwks] })),
);
const reports: HonestReport[] = [];
const results: HonestResult[] = [];
for (const { vector, keys } of withKeys) {
  if (vector.kind === 'document') results.push(await honestResult(vector, keys));
  if (vector.kind !== 'page') continue;
  for (const withRegistry of [true, false]) reports.push(await honestReport(vector, keys, withRegistry));
}

scenario('No honest answer contradicts the question or itself', covers('ANSWER-CONSISTENT'), () => {
  console.info(`${reports.length} reports and ${results.length} results`);
  for (const { url, report } of reports) {
    expect([url, report.verdict, reportContradictions(report, { url })]).toEqual([url, report.verdict, []]);
  }
  for (const { asked: question, result } of results) {
    expect(verificationContradictions(result, question)).toEqual([]);
  }
});

scenario('The address may be repeated as it is fetched', covers('ANSWER-CONSISTENT'), () => {
  const url = 'https://shop.example/products/k%20x?a=1';
  const notes = { findings: [], warnings: ['certificate_absent: …'], errors: [] };
  const nothing = { mc4p: { present: false }, ...notes } as const;
  const repeated = (asked: string, told: string, verdict: 'no_certificate' | 'page_fetch_failed') =>
    reportContradictions(
      { url: told, final_url: told, verdict, conclusion: conclude(verdict, nothing), ...nothing },
      { url: asked },
    );
  for (const spelling of [
    'https://SHOP.example:443/products/k x?a=1',
    'https://user:secret@shop.example./products/k%20x?a=1#top',
    `${url}#!/route`,
  ]) {
    expect([spelling, repeated(spelling, url, 'no_certificate')]).toEqual([spelling, []]);
    expect(repeated(spelling, 'https://shop.example/products/k%20x?a=2', 'no_certificate')).not.toEqual([]);
  }
  // too long to be fetched: the report has only its beginning
  const long = `${url}&${'x'.repeat(9_000)}`;
  expect(repeated(long, long.slice(0, 1_000), 'page_fetch_failed')).toEqual([]);
  expect(repeated(long, long.slice(0, 1_000), 'no_certificate')).not.toEqual([]);
});

/** One change of an honest report each, by which it would be about another page, or say more than it shows. */
const LIES: Readonly<Record<string, (report: ReceivedReport) => ReceivedReport>> = {
  'another page asked about': (report) => ({ ...report, url: 'https://shop.example/products/another' }),
  'another host asked about': (report) => ({ ...report, url: report.url.replace('://', '://x.') }),
  'another page judged': (report) => landed(report, `${report.url.replace(/[?#].*/, '')}/another`),
  'another host judged': (report) => landed(report, report.url.replace('://', '://x.')),
  'another parameter judged': (report) => landed(report, `${report.url.replace(/[?#].*/, '')}?id=2`),
  'no certificate': (report) => ({ ...report, mc4p: { ...report.mc4p, present: !report.mc4p.present } }),
  'another status': (report) => ({
    ...report,
    mc4p: { ...report.mc4p, status: report.mc4p.status === 'failed' ? 'verified' : 'failed' },
  }),
  'no checks': ({ mc4p: { present, status }, ...report }) => ({
    ...report,
    mc4p: { present, ...(status === undefined ? {} : { status }) },
  }),
  'another product': (report) => ({
    ...report,
    mc4p: { ...report.mc4p, product_id: '7c9e6679-7425-40de-944b-e07fc1f90ae7' },
  }),
  'signed for another host': (report) => signedAs(report, { domain: 'other.example' }),
  'signed for another page': (report) => signedAs(report, { url: 'https://shop.example/products/another' }),
  errors: (report) => ({ ...report, errors: ['url_differs: The proof was issued for another page.'] }),
};

function landed(report: ReceivedReport, landing: string): ReceivedReport {
  const warnings = report.warnings.filter(
    (warning) => !LANDING_WARNINGS.some((code) => warning.startsWith(code)),
  );
  return { ...report, final_url: landing, warnings };
}

function signedAs(report: ReceivedReport, change: object): ReceivedReport {
  const { signed } = report.mc4p;
  if (signed === undefined) return { ...report, mc4p: { present: false } };
  return { ...report, mc4p: { ...report.mc4p, signed: { ...signed, ...change } } };
}

scenario(
  'A report that says verified contradicts itself if one part of it says otherwise',
  covers('ANSWER-CONSISTENT'),
  () => {
    const verified = reports.filter(({ report }) => report.verdict === 'verified');
    const others = reports.filter(({ report }) => report.verdict !== 'verified');
    const runs = 5_000;
    fc.assert(
      fc.property(
        fc.constantFrom(...verified),
        fc.constantFrom(...Object.keys(LIES)),
        ({ url, report }, lie) => {
          const told = LIES[lie]?.(report) ?? report;
          expect([lie, reportContradictions(told, { url }).length > 0]).toEqual([lie, true]);
        },
      ),
      { numRuns: runs },
    );
    const wrong = fc.constantFrom(false, null);
    fc.assert(
      fc.property(
        fc.constantFrom(...verified),
        fc.constantFrom(...LOAD_BEARING_CHECKS),
        wrong,
        ({ url, report }, name, is) => {
          const { checks } = report.mc4p;
          if (checks === undefined) throw new Error('a verified report has checks');
          const told = { ...report, mc4p: { ...report.mc4p, checks: { ...checks, [name]: is } } };
          expect(reportContradictions(told, { url })).not.toEqual([]);
        },
      ),
      { numRuns: runs },
    );
    for (const { url, report } of others) {
      expect(reportContradictions({ ...report, verdict: 'verified' }, { url })).not.toEqual([]);
    }
    // the same page on another host is only accepted if the report says so
    for (const { report } of verified) {
      const { hostname } = new URL(report.final_url);
      const url = report.final_url.replace(hostname, 'copy.example');
      const untold = { ...landed({ ...report, url }, report.final_url), findings: [] };
      const found = reportContradictions(untold, { url });
      expect([url, found.some((text) => text.startsWith('The page that was judged is'))]).toEqual([
        url,
        true,
      ]);
    }
    // a warning that it landed elsewhere is no contradiction, whichever of the two it is
    for (const code of LANDING_WARNINGS) {
      const { url, report } = verified[0] as HonestReport;
      const warnings = [`${code}: It redirects.`];
      const warned = {
        ...landed({ ...report, warnings: [] }, 'https://shop.example/products/kettle/'),
        conclusion: conclude(report.verdict, { errors: [], warnings }),
        warnings,
      };
      expect(reportContradictions(warned, { url })).toEqual([]);
    }
  },
);

scenario('So does a result', covers('ANSWER-CONSISTENT'), () => {
  const wrong = fc.constantFrom(true, false, null);
  const signedResults = results.filter(({ result }) => result.status !== 'unverified');
  fc.assert(
    fc.property(
      fc.constantFrom(...results),
      fc.constantFrom(...LOAD_BEARING_CHECKS),
      wrong,
      (honest, name, is) => {
        const { asked: question, result } = honest;
        fc.pre(result.checks[name] !== is);
        const checks = { ...result.checks, [name]: is };
        // not even if both lists of checks are changed, unless another check still is the reason
        const checkDetails = { ...result.checkDetails, [name]: { result: is } };
        expect(verificationContradictions({ ...result, checks }, question)).not.toEqual([]);
        if (result.status !== 'failed') {
          expect(verificationContradictions({ ...result, checks, checkDetails }, question)).not.toEqual([]);
        }
      },
    ),
    { numRuns: 5_000 },
  );
  for (const { asked: question, result } of results) {
    const other = { ...question, productId: '7c9e6679-7425-40de-944b-e07fc1f90ae7' };
    expect(verificationContradictions(result, other)).not.toEqual([]);
    const status = result.status === 'verified' ? 'failed' : 'verified';
    expect(verificationContradictions({ ...result, status }, question)).not.toEqual([]);
  }
  for (const { asked: question, result } of signedResults) {
    expect(verificationContradictions(result, { ...question, document: undefined })).not.toEqual([]);
    if (result.status !== 'verified') continue;
    const elsewhere = { ...question, pageUrl: 'https://other.example/' };
    expect(verificationContradictions(result, elsewhere)).not.toEqual([]);
    expect(verificationContradictions({ ...result, errors: ['url_differs: …'] }, question)).not.toEqual([]);
  }
});

scenario(
  'A report or result contradicts itself if its conclusion does not follow from the rest of it',
  covers('ANSWER-CONSISTENT'),
  () => {
    const otherRows = (code: string) => CONCLUSION_TABLE.filter((row) => row.code !== code);
    for (const { url, report } of reports) {
      for (const { code, level, sentence } of otherRows(report.conclusion.code)) {
        const told = { ...report, conclusion: { code, level, sentence } };
        expect(reportContradictions(told, { url })).not.toEqual([]);
      }
      const milder = {
        ...report.conclusion,
        level: report.conclusion.level === 'good' ? 'none' : 'good',
      } as const;
      expect(reportContradictions({ ...report, conclusion: milder }, { url })).not.toEqual([]);
    }
    for (const { asked: question, result } of results) {
      for (const { code, level, sentence } of otherRows(result.conclusion.code)) {
        const told = { ...result, conclusion: { code, level, sentence } };
        expect(verificationContradictions(told, question)).not.toEqual([]);
      }
    }
    // a copy does not become a list by what is said about it, nor do links to other hosts belong to one
    const lists = reports.filter(({ report }) => report.mc4p.list !== undefined);
    expect(lists.length).toBeGreaterThan(0);
    for (const { url, report } of lists) {
      const [first, ...rest] = report.mc4p.list ?? [];
      if (first === undefined) throw new Error('there is no list');
      const elsewhere = { ...first, url: 'https://copy.example/products/cup' };
      for (const list of [[], [first], [first, first], [elsewhere, ...rest]]) {
        const told = { ...report, mc4p: { ...report.mc4p, list } };
        expect(reportContradictions(told, { url })).not.toEqual([]);
      }
      const { list: _, ...others } = report.mc4p;
      expect(reportContradictions({ ...report, mc4p: others }, { url })).not.toEqual([]);
      const untold = { ...report, findings: [] };
      expect(reportContradictions(untold, { url })).not.toEqual([]);
    }
  },
);

scenario('So does the verification of an image', covers('ANSWER-CONSISTENT'), () => {
  const imageId = '6a1d58cf-43f8-4f1d-9c53-5a4c1f5f0b01';
  const question = { imageId, domain: 'Shop.Example' };
  const checks = { domainMatches: true, certificateConsistency: true };
  const sound = { verified: true, imageId, currentDomain: 'shop.example', checks, errors: [] };
  const contradictions = (change: object) =>
    imageVerificationContradictions({ ...sound, ...change }, question);
  for (const honest of [
    {},
    { currentDomain: undefined },
    { imageId: imageId.toUpperCase() },
    { verified: false },
  ]) {
    expect(contradictions(honest)).toEqual([]);
  }
  for (const lie of [
    { imageId: '6a1d58cf-43f8-4f1d-9c53-5a4c1f5f0b02' },
    { currentDomain: 'other.example' },
    { checks: { ...checks, domainMatches: false } },
    { checks: { ...checks, certificateConsistency: false } },
    { errors: ['proof_invalid: …'] },
  ]) {
    expect(contradictions(lie)).not.toEqual([]);
  }
});
