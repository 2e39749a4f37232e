import { describe, expect, it } from 'vitest';
import { reportOf } from './report.ts';
import type { Statuses } from './store.ts';

const TRUST = { name: 'List', date: '2026-11-21', anchorsPem: '' };
const codes = (...list: string[]) => list.map((code) => ({ code }));
const PROVEN = ['claimSignature.validated', 'assertion.dataHash.match'];

function judged(active: Statuses, inIngredient: string[] = []) {
  const ingredientDeltas = [{ validationDeltas: { failure: codes(...inIngredient) } }];
  const store = { active_manifest: 'a', validation_results: { activeManifest: active, ingredientDeltas } };
  return reportOf(store, TRUST);
}

describe('a manifest is valid', () => {
  it('when its signature and its binding to the bytes were shown to hold, trusted or not', () => {
    const untrusted = judged({ success: codes(...PROVEN), failure: codes('signingCredential.untrusted') });
    expect(untrusted).toMatchObject({
      valid: true,
      failures: [],
      trust: { status: 'untrusted', list: 'List' },
    });
    const trusted = judged({ success: codes(...PROVEN, 'signingCredential.trusted') });
    expect(trusted).toMatchObject({ valid: true, trust: { status: 'trusted', listDate: '2026-11-21' } });
  });

  it.each([
    ['nothing was said at all', []],
    ['the signature was not checked', ['assertion.dataHash.match']],
    ['the bytes were not checked', ['claimSignature.validated', 'assertion.hashedURI.match']],
  ])('but not when %s, though nobody complained', (_what, passed) => {
    expect(judged({ success: codes(...passed) })).toMatchObject({
      valid: false,
      failures: [{ code: 'manifest.unproven' }],
    });
    expect(reportOf({}, TRUST).valid).toBe(false);
  });

  it.each([
    'assertion.hashedURI.mismatch',
    'signingCredential.expired',
    'signingCredential.ocsp.revoked',
    'new.code',
  ])('but not with %s', (code) => {
    expect(judged({ success: codes(...PROVEN), failure: codes(code) }).failures).toEqual([{ code }]);
    expect(judged({ success: codes(...PROVEN) }, [code]).valid).toBe(false);
  });
});

it('a trusted certificate under a signature that does not hold trusts nobody', () => {
  const report = judged({
    success: codes('signingCredential.trusted', 'assertion.dataHash.match'),
    failure: codes('claimSignature.mismatch'),
  });
  expect(report.trust.status).toBe('untrusted');
});

it('content of any shape is reported within bounds', () => {
  const manifest = {
    title: `A\u0000\u202eB${'x'.repeat(9_000)}`,
    assertions: [
      {
        label: 'c2pa.actions',
        data: { actions: [null, { action: 7 }, { action: 'c2pa.opened', softwareAgent: { name: 'Y' } }] },
      },
      { label: 'c2pa.actions.v2', data: 'none' },
      { label: 'c2pa.hash.data', data: {} },
      { label: 'org.example', data: { deep: JSON.parse(`${'['.repeat(99)}${']'.repeat(99)}`) } },
    ],
    signature_info: { common_name: 'Y', time: '2026-01-01' },
  };
  const report = reportOf({ active_manifest: 'a', manifests: { a: manifest } }, TRUST);
  expect(report.title).toMatch(/^A Bx+…$/);
  expect(report.title).toHaveLength(500);
  expect(report.actions).toEqual([{ action: 'c2pa.opened', softwareAgent: 'Y' }]);
  expect(report.assertions.map(({ label }) => label)).toEqual(['org.example']);
  expect(JSON.stringify(report.assertions).length).toBeLessThan(60);
  // a time that nobody vouches for is not reported
  expect(report.signer).toEqual({ commonName: 'Y' });
});

it('data that is wide is truncated as data that is deep is, over all assertions together', () => {
  const text = 'x'.repeat(400);
  const wide = Object.fromEntries(
    Array.from({ length: 60 }, (_, i) => [`k${i}`, Array.from({ length: 60 }, () => text)]),
  );
  const assertions = Array.from({ length: 90 }, () => ({ label: 'org.example', data: wide }));
  const report = reportOf({ active_manifest: 'a', manifests: { a: { assertions } } }, TRUST);
  expect(report.assertions).toHaveLength(90);
  expect(JSON.stringify(report).length).toBeLessThan(150_000);
});
