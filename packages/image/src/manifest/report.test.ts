import { describe, expect, it } from 'vitest';
import { reportOf } from './report.ts';
import type { Statuses } from './store.ts';

const TRUST = { name: 'List', date: '2026-11-21', anchorsPem: '' };
const codes = (...list: string[]) => list.map((code) => ({ code }));
const PROVEN = ['claimSignature.validated', 'claimSignature.insideValidity', 'assertion.dataHash.match'];

function judged(active: Statuses, inIngredient: string[] = []) {
  const ingredientDeltas = [{ validationDeltas: { failure: codes(...inIngredient) } }];
  const store = {
    active_manifest: 'a',
    validation_state: 'Valid',
    validation_results: { activeManifest: active, ingredientDeltas },
  };
  return reportOf(store, TRUST);
}

describe('a manifest is valid', () => {
  it('when its signature and its binding to the bytes were proven, trusted or not', () => {
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
    [
      'it was not checked whether it was made in time',
      ['claimSignature.validated', 'assertion.dataHash.match'],
    ],
    ['the bytes were not checked', ['claimSignature.validated', 'assertion.hashedURI.match']],
  ])('but not when %s, even without a reported fault', (_what, passed) => {
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

it('the engine decides: what it calls invalid is invalid, whatever passed', () => {
  const validation_results = { activeManifest: { success: codes(...PROVEN) } };
  for (const validation_state of ['Invalid', 'Some other word', undefined]) {
    const state = validation_state === undefined ? {} : { validation_state };
    expect(reportOf({ ...state, validation_results }, TRUST)).toMatchObject({
      valid: false,
      failures: [{ code: 'manifest.unproven' }],
    });
  }
});

describe('an identity that a manifest states', () => {
  const active = { success: codes(...PROVEN), failure: codes('signingCredential.untrusted') };
  const store = { validation_state: 'Valid', validation_results: { activeManifest: active } };
  const judgedWith = (found: Statuses) =>
    reportOf(store, TRUST, {
      validation_state: 'Invalid',
      validation_results: {
        activeManifest: {
          success: [...active.success, ...(found.success ?? [])],
          failure: [...active.failure, ...(found.failure ?? [])],
          informational: found.informational ?? [],
        },
      },
    });

  it.each([
    ['trusted', { success: codes('cawg.x509.credential.trusted') }],
    ['untrusted', { failure: codes('cawg.x509.credential.untrusted') }],
    ['untrusted', { informational: codes('cawg.ica.untrusted_issuer') }],
    ['unchecked', { failure: codes('cawg.ica.did_unavailable') }],
    ['invalid', { failure: codes('cawg.ica.did_unavailable', 'cawg.identity.pad.invalid') }],
    ['invalid', { failure: codes('cawg.ica.signature_mismatch') }],
    // an assertion that cannot even be read
    ['invalid', { failure: codes('assertion.required.missing') }],
  ])('is %s, and its faults leave the manifest valid', (status, found: Statuses) => {
    expect(judgedWith(found)).toMatchObject({
      valid: true,
      failures: [],
      identity: { status, findings: [...(found.failure ?? []), ...(found.informational ?? [])] },
    });
  });

  it('of several, an invalid one counts more than a trusted one', () => {
    const success = codes('cawg.x509.credential.trusted');
    const { identity } = judgedWith({ success, failure: codes('cawg.x509.credential.untrusted') });
    expect(identity.status).toBe('untrusted');
  });

  it('is absent if none is stated', () => {
    expect(reportOf(store, TRUST).identity).toEqual({ status: 'none', findings: [] });
  });
});

it('reports the faults that signers recorded of ingredients, of every version and generation', () => {
  const store = {
    active_manifest: 'a',
    manifests: {
      a: {
        ingredients: [
          {
            title: 'v2',
            relationship: 'componentOf',
            active_manifest: 'b',
            validation_status: codes(
              'claimSignature.mismatch',
              'assertion.hashedURI.match',
              'timeStamp.trusted',
              'signingCredential.untrusted',
              'cawg.identity.pad.invalid',
            ),
          },
        ],
      },
      b: {
        ingredients: [
          {
            title: 'v3',
            relationship: 'parentOf',
            // a manifest that refers to itself does not cause endless recursion
            active_manifest: 'b',
            validation_results: {
              activeManifest: { failure: codes('assertion.dataHash.mismatch') },
              ingredientDeltas: [{ validationDeltas: { failure: codes('claim.missing') } }],
            },
          },
        ],
      },
    },
  };
  const [v2] = reportOf(store, TRUST).ingredients;
  expect(v2).toMatchObject({ title: 'v2', failures: codes('claimSignature.mismatch') });
  expect(v2?.ingredients?.[0]).toMatchObject({
    title: 'v3',
    failures: codes('assertion.dataHash.mismatch', 'claim.missing'),
  });
  expect(JSON.stringify(v2).match(/"v3"/g)).toHaveLength(4);
});

it.each([
  ['checked against the list', 2, ['timeStamp.validated', 'timeStamp.trusted'], true],
  ['of an unlisted authority', 2, ['timeStamp.validated'], false],
  [
    'of a claim of version 1, whose authority the engine never checks',
    1,
    ['timeStamp.validated', 'timeStamp.trusted'],
    false,
  ],
])('reports whether a time is trusted: %s', (_what, claim_version, passed, timeTrusted) => {
  const signature_info = { time: '2026-01-01' };
  const validation_results = { activeManifest: { success: codes(...passed) } };
  const manifests = { a: { claim_version, signature_info } };
  const { signer } = reportOf({ active_manifest: 'a', manifests, validation_results }, TRUST);
  expect(signer).toEqual({ time: '2026-01-01', timeTrusted });
});

it('a trusted certificate with an invalid signature trusts nobody', () => {
  const report = judged({
    success: codes('signingCredential.trusted', 'assertion.dataHash.match'),
    failure: codes('claimSignature.mismatch'),
  });
  expect(report.trust.status).toBe('untrusted');
});

it('content of any shape is reported within limits', () => {
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
  // the time of an untrusted authority is not reported
  expect(report.signer).toEqual({ commonName: 'Y' });
});

it('wide data is truncated as deep data is, over all assertions together', () => {
  const text = 'x'.repeat(400);
  const wide = Object.fromEntries(
    Array.from({ length: 60 }, (_, i) => [`k${i}`, Array.from({ length: 60 }, () => text)]),
  );
  const assertions = Array.from({ length: 90 }, () => ({ label: 'org.example', data: wide }));
  const report = reportOf({ active_manifest: 'a', manifests: { a: { assertions } } }, TRUST);
  expect(report.assertions).toHaveLength(90);
  expect(JSON.stringify(report).length).toBeLessThan(150_000);
});
