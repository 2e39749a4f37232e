import { describe, expect, it } from 'vitest';
import type { CheckContext } from './check-context.ts';
import { resultErrors, resultWarnings } from './notes.ts';
import { note } from './reasons.ts';
import { CHECK_NAMES, type CheckName, type CheckResult, type RegistryFacts } from './types.ts';

type Details = Readonly<Record<CheckName, CheckResult>>;

function details(changes: Partial<Details> = {}): Details {
  const passed = CHECK_NAMES.map((name) => [name, { result: true, reason: 'ok' }]);
  return { ...(Object.fromEntries(passed) as Details), ...changes };
}

function context(document: unknown, claims: unknown, publishing?: boolean): CheckContext {
  const registry = publishing === undefined ? null : ({ publishing } as RegistryFacts);
  return { document, proof: claims === undefined ? null : { claims }, registry } as unknown as CheckContext;
}

/** The errors when only `boundToUrl` fails, and compared this. */
function noted(compared: Partial<CheckResult>): string[] {
  return resultErrors(details({ boundToUrl: { result: false, reason: 'url_differs', ...compared } }));
}

it('a note is its code, its sentence, and the details given', () => {
  expect(note('kid_missing')).toBe('kid_missing: The proof names no key.');
  expect(note('kid_missing', 'It is old.', 'Fetch it again.')).toBe(
    'kid_missing: The proof names no key. It is old. Fetch it again.',
  );
});

describe('errors', () => {
  it('contain for each failed check its code, its sentence, and what was compared', () => {
    const sentence = 'url_differs: The proof was issued for another page.';
    expect(noted({})).toEqual([sentence]);
    expect(noted({ expected: 'a' })).toEqual([`${sentence} Expected a.`]);
    expect(noted({ actual: 'b' })).toEqual([`${sentence} Found b.`]);
    expect(noted({ expected: 'a', actual: 'b' })).toEqual([`${sentence} Expected a. Found b.`]);
  });

  it('include neither checks that did not run nor advisory ones', () => {
    const errors = resultErrors(
      details({
        boundToUrl: { result: null, reason: 'nothing_signed' },
        domainKnown: { result: false, reason: 'domain_unknown' },
      }),
    );
    expect(errors).toEqual([]);
  });

  it('state a reason that several checks share once, with the details of the first', () => {
    const errors = resultErrors(
      details({
        timestampValid: { result: false, reason: 'claim_missing', expected: 'exp' },
        boundToUrl: { result: false, reason: 'claim_missing', expected: 'url' },
        boundToDomain: { result: false, reason: 'domain_differs' },
      }),
    );
    expect(errors).toEqual([
      'claim_missing: A claim is missing. Expected exp.',
      expect.stringMatching(/^domain_differs: /),
    ]);
  });

  it('name an untrusted issuer before the key that is therefore unknown', () => {
    const errors = resultErrors(
      details({
        signatureValid: { result: false, reason: 'key_unknown' },
        certificateIntegrity: { result: false, reason: 'issuer_untrusted', expected: 'a', actual: 'b' },
      }),
    );
    expect(errors).toEqual([
      'issuer_untrusted: The issuer of the proof is not trusted. Expected a. Found b.',
      expect.stringMatching(/^key_unknown: /),
    ]);
  });
});

describe('warnings', () => {
  it('are in a fixed order: the dropped document, the trust block, the product, then the advisory checks', () => {
    const advice = details({
      domainKnown: { result: false, reason: 'domain_unknown', expected: 'shop.example' },
      trustDataCurrent: { result: null, reason: 'nothing_signed' },
      boundToUrl: { result: false, reason: 'url_differs' },
    });
    const stated = context({ 'svc:trust': 7 }, {}, false);
    const codes = resultWarnings(stated, advice, 'proof_absent').map((text) => text.split(':')[0]);
    expect(codes).toEqual([
      'proof_absent',
      'trust_block_differs',
      'product_not_publishing',
      'domain_unknown',
    ]);
    expect(resultWarnings(stated, advice)[2]).toMatch(/ Expected shop\.example\.$/);
  });

  it('are complete when there are as many notes as failed advisory checks', () => {
    const advice = details({ domainKnown: { result: false, reason: 'domain_unknown' } });
    expect(resultWarnings(context({}, {}), advice, 'proof_absent')).toEqual([
      expect.stringMatching(/^proof_absent: /),
      expect.stringMatching(/^domain_unknown: /),
    ]);
  });

  it('are empty when there is nothing to report', () => {
    expect(resultWarnings(context({}, {}, true), details())).toEqual([]);
    expect(resultWarnings(context(null, undefined), details())).toEqual([]);
  });

  const signed = { certifiedAssets: 1, totalAssets: 2, coveragePercent: 50 };

  it.each([
    ['states a different number of certified images', { certifiedAssets: 2 }, true],
    ['states a different number of images', { totalAssets: 3 }, true],
    ['states a different percentage', { coveragePercent: 100 }, true],
    ['shows a count as text', { certifiedAssets: '1' }, true],
    ['is a text', '1 of 2', true],
    ['is false', false, true],
    ['is a list', [], true],
    ['shows the signed counts', signed, false],
    ['shows some of them', { totalAssets: 2 }, false],
    ['shows null for one', { ...signed, totalAssets: null }, false],
    ['shows none', {}, false],
    ['is null', null, false],
    ['is not there', undefined, false],
  ])('say that coverage differs when the block %s (%j): %s', (_, block, differs) => {
    const warnings = resultWarnings(context({ 'svc:trust': block }, signed), details());
    expect(warnings).toEqual(differs ? [expect.stringMatching(/^trust_block_differs: /)] : []);
  });

  it('compare no coverage with claims that could not be read', () => {
    expect(resultWarnings(context({ 'svc:trust': 7 }, null), details())).toEqual([]);
    expect(resultWarnings(context({ 'svc:trust': {} }, undefined), details())).toEqual([]);
  });
});
