import { createKeySet, type RegistryFacts, verify, verifyProof } from '@touchstone/certificate/verify';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  createTestIssuer,
  TEST_ISSUER,
  TEST_NOW,
  TEST_PRODUCT,
  type TestIssuer,
} from '../../certificate/src/testing/issuer.ts';
import { judgePage } from './judge-page.ts';
import type { Fact, FailedObservation, Gate, Observation, PageReading } from './types.ts';

const DAY = 86_400_000;
const PAGE = TEST_PRODUCT.url;
const REGISTRY: RegistryFacts = {
  issuedFor: 'shop.example',
  domains: [{ hostname: 'shop.example', verified: true }],
  coverage: { certifiedAssets: 1, totalAssets: 2, coveragePercent: 50 },
  publishing: true,
};

let issuer: TestIssuer;
beforeAll(async () => {
  issuer = await createTestIssuer();
});

type Node = Readonly<Record<string, unknown>>;

interface Case {
  readonly nodes?: readonly Node[];
  readonly finalUrl?: string;
  readonly now?: Date;
  readonly gate?: Gate;
  readonly canonicalUrl?: string;
  readonly known?: boolean;
  readonly failed?: Omit<FailedObservation, 'kind'>;
  readonly onProof?: () => void;
  readonly issuers?: readonly string[];
}

const NAME: Fact = { value: 'Stoneware cup', source: 'jsonld', field: 'name' };

function reading({ nodes = [], gate, canonicalUrl }: Case): PageReading {
  const facts = { name: NAME, description: null, price: null, currency: null, availability: null };
  return {
    facts: { ...facts, sku: null, brand: null, images: [] },
    platform_detected: 'shopify',
    gate: gate ?? null,
    certificates: nodes,
    canonicalUrl: canonicalUrl ?? null,
    findings: ['json_ld_broken: A finding of the reader.'],
  };
}

async function check(input: Case) {
  const { finalUrl = PAGE, now = TEST_NOW, known = true, failed } = input;
  const observation: Observation = {
    url: finalUrl,
    finalUrl,
    fetchedAt: '2026-03-01T12:00:00.000Z',
    outcome:
      failed === undefined
        ? { kind: 'page', status: 200, reading: reading(input) }
        : { kind: 'failed', ...failed },
  };
  const keySet = createKeySet(issuer.jwks);
  const { issuers = [TEST_ISSUER] } = input;
  const { report } = await judgePage(observation, {
    baseUrls: issuers,
    readSigned: async (jwt) => {
      input.onProof?.();
      return (await verifyProof(jwt, keySet, { now, issuers })).signed;
    },
    verifyProduct: async (productId, { document, pageUrl }) =>
      known && productId === TEST_PRODUCT.productId
        ? await verify({
            document,
            pageUrl,
            productId,
            keySet,
            issuers,
            now,
            registry: REGISTRY,
          })
        : null,
  });
  return report;
}

function pointingTo(source: unknown): Node {
  return { '@type': 'Product', 'svc:issuedFor': {}, 'svc:status': { canonicalSource: source } };
}

const OTHER_PRODUCT = `${TEST_ISSUER}/api/v1/mc4p/products/11111111-1111-4111-8111-111111111111/certificate`;

describe('each of the ten verdicts', () => {
  it('verified: a signed certificate, every check passed', async () => {
    const report = await check({ nodes: [await issuer.certificate()] });
    expect(report).toMatchObject({
      url: PAGE,
      final_url: PAGE,
      fetched_at: '2026-03-01T12:00:00.000Z',
      platform_detected: 'shopify',
      verdict: 'verified',
      facts: { name: NAME, price: null },
      mc4p: {
        present: true,
        product_id: TEST_PRODUCT.productId,
        issued_to: 'shop.example',
        status: 'verified',
      },
      errors: [],
    });
    expect(report.mc4p.checks?.boundToUrl).toBe(true);
  });

  it('unverified: names a product, but nothing is signed', async () => {
    const { proof: _, ...node } = await issuer.certificate();
    const report = await check({ nodes: [node] });
    expect(report).toMatchObject({ verdict: 'unverified', mc4p: { status: 'unverified' }, errors: [] });
    expect(report.warnings[0]).toMatch(/^proof_absent: /);
  });

  it('certificate_expired: authentic but older than 7 days, nothing failed', async () => {
    const report = await check({
      nodes: [await issuer.certificate()],
      now: new Date(TEST_NOW.getTime() + 8 * DAY),
    });
    expect(report).toMatchObject({ verdict: 'certificate_expired', errors: [] });
    expect(report.warnings[0]).toMatch(/^certificate_past_lifetime: /);
  });

  it('checks_failed: a check did not pass', async () => {
    const report = await check({ nodes: [await issuer.certificate({ document: { productID: 'another' } })] });
    expect(report).toMatchObject({ verdict: 'checks_failed', mc4p: { status: 'failed' } });
    expect(report.errors[0]).toMatch(/^document_differs: /);
  });

  it('no_certificate: no svc:issuedFor node', async () => {
    const report = await check({});
    expect(report).toMatchObject({ verdict: 'no_certificate', mc4p: { present: false }, errors: [] });
    expect(Object.keys(report.mc4p)).toEqual(['present']);
    expect(report.warnings[0]).toMatch(/^certificate_absent: /);
    expect(report.findings).toEqual(['json_ld_broken: A finding of the reader.']);
  });

  it.each([
    [undefined, 'canonical_source_missing'],
    [{ url: 'nowhere' }, 'canonical_source_url_invalid'],
    [{ url: OTHER_PRODUCT.replace('https', 'http') }, 'canonical_source_not_https'],
    [{ url: `${TEST_ISSUER}/api/v1/mc4p/products/7/certificate` }, 'canonical_source_path'],
    [{ url: OTHER_PRODUCT, httpMethod: 'POST' }, 'canonical_source_method'],
  ])('invalid_certificate: canonicalSource is %j', async (source, code) => {
    const report = await check({ nodes: [pointingTo(source)] });
    expect(report).toMatchObject({ verdict: 'invalid_certificate', mc4p: { present: true } });
    expect(report.errors[0]).toMatch(new RegExp(`^${code}: `));
  });

  it('canonical_mismatch: canonicalSource is on a foreign host, which is reported', async () => {
    const report = await check({ nodes: [pointingTo({ url: OTHER_PRODUCT.replace('.example', '.test') })] });
    expect(report).toMatchObject({ verdict: 'canonical_mismatch', mc4p: { present: true } });
    expect(report.errors[0]).toMatch(/^canonical_host_foreign: .*certificates\.test$/);
  });

  it('canonical_mismatch: canonicalSource is https at a service that is trusted over http, which is reported', async () => {
    const issuers = [TEST_ISSUER.replace('https', 'http')];
    const report = await check({ nodes: [pointingTo({ url: OTHER_PRODUCT })], issuers });
    expect(report).toMatchObject({ verdict: 'canonical_mismatch', mc4p: { present: true } });
    expect(report.errors[0]).toMatch(/^canonical_scheme_foreign: .*https:\/\/certificates\.example$/);
  });

  it('product_deleted: the registry has no such product', async () => {
    const report = await check({ nodes: [await issuer.certificate()], known: false });
    expect(report).toMatchObject({
      verdict: 'product_deleted',
      mc4p: { present: true, product_id: TEST_PRODUCT.productId },
    });
    expect(report.mc4p).not.toHaveProperty('status');
    expect(report.errors[0]).toMatch(/^product_unknown: /);
  });

  it('password_protected: a password page, with any status, and no facts of it', async () => {
    const gate = { kind: 'password', code: 'shopify_password' } as const;
    const shown = await check({ gate });
    expect(shown).toMatchObject({
      verdict: 'password_protected',
      facts: { name: null },
      mc4p: { present: false },
    });
    expect(shown.errors[0]).toMatch(/^shopify_password: /);
    const failed = {
      code: 'http_status',
      detail: 'status 401',
      gate,
      platform_detected: 'shopify',
    } as const;
    const refused = await check({ failed });
    expect(refused).toMatchObject({ verdict: 'password_protected', platform_detected: 'shopify' });
    expect(refused.errors.map((error) => error.split(':')[0])).toEqual(['shopify_password', 'http_status']);
  });

  it('page_fetch_failed: no page was received, and the code says why', async () => {
    const report = await check({ failed: { code: 'timed_out', detail: 'while connecting' } });
    expect(report).toMatchObject({
      verdict: 'page_fetch_failed',
      platform_detected: 'custom',
      facts: { name: null, images: [] },
      mc4p: { present: false },
      errors: ['timed_out: The page took too long: while connecting'],
    });
  });

  it('page_fetch_failed: a bot wall was served, with any status', async () => {
    const gate = { kind: 'challenge', code: 'cloudflare_challenge' } as const;
    for (const report of [
      await check({ gate }),
      await check({ failed: { code: 'http_status', detail: '', gate } }),
    ]) {
      expect(report).toMatchObject({ verdict: 'page_fetch_failed', facts: { name: null } });
      expect(report.errors[0]).toMatch(/^cloudflare_challenge: /);
    }
  });
});

describe('a copied page never ages into a non-failure', () => {
  it.each([0, 8, 400])(
    'after %i days it is checks_failed, and the other site is named first',
    async (days) => {
      const report = await check({
        nodes: [await issuer.certificate()],
        finalUrl: 'https://copy.example/products/cup',
        now: new Date(TEST_NOW.getTime() + days * DAY),
      });
      expect(report.verdict).toBe('checks_failed');
      expect(report.errors[0]).toMatch(/^domain_differs: .*another site.*shop\.example.*copy\.example/);
    },
  );

  it.each([
    { claims: { iss: 'https://foreign.example' } },
    { claims: { productId: '11111111-1111-4111-8111-111111111111' }, document: { productID: undefined } },
    { header: { kid: 'unheard-of' } },
  ])('nor does an expired one with another failure: %j', async (changes) => {
    const report = await check({
      nodes: [await issuer.certificate(changes)],
      now: new Date(TEST_NOW.getTime() + 8 * DAY),
    });
    expect(report.verdict).toBe('checks_failed');
  });

  it('nor does one that was issued in the future', async () => {
    const report = await check({
      nodes: [await issuer.certificate()],
      now: new Date(TEST_NOW.getTime() - DAY),
    });
    expect(report.verdict).toBe('checks_failed');
  });

  it('nor does adding an unsigned node hide the failure', async () => {
    const { proof: _, ...unsigned } = await issuer.certificate();
    const report = await check({
      nodes: [unsigned, await issuer.certificate()],
      finalUrl: 'https://copy.example/products/cup',
    });
    expect(report.verdict).toBe('checks_failed');
  });
});

describe('several certificates on a page', () => {
  it('a verified one decides, and the others are reported', async () => {
    const nodes = [
      pointingTo({ url: 'https://elsewhere.example/' }),
      await issuer.certificate({ document: { url: 'https://shop.example/x' } }),
      await issuer.certificate(),
    ];
    const report = await check({ nodes });
    expect(report).toMatchObject({ verdict: 'verified', errors: [] });
    // only the number, which needs no translation
    expect(report.findings[0]).toMatch(/: 3$/);
    expect(report.findings.map((finding) => finding.split(':')[0])).toEqual([
      'several_certificates',
      'certificate_set_aside',
      'certificate_set_aside',
      'json_ld_broken',
    ]);
  });

  it('one of ours decides before one of another service', async () => {
    const foreign = pointingTo({ url: 'https://elsewhere.example/' });
    const report = await check({ nodes: [foreign, await issuer.certificate()], known: false });
    expect(report.verdict).toBe('product_deleted');
  });

  it('too many are truncated, and that is reported', async () => {
    const nodes = Array.from({ length: 500 }, (_, n) => ({ ...pointingTo(undefined), n }));
    const report = await check({ nodes });
    expect(report.findings.join()).toContain(
      'too_many_certificates: The page carries more certificates than are checked: 492',
    );
    expect(report.findings.length).toBeLessThan(10);
  });
});

describe('a genuine certificate after many others', () => {
  const productAt = (n: number) => TEST_PRODUCT.productId.replace(/^.{8}/, String(n).padStart(8, '0'));
  const sourceOf = (productId: string) =>
    ({
      canonicalSource: { url: `${TEST_ISSUER}/api/v1/mc4p/products/${productId}/certificate` },
    }) as const;

  /** Nodes that say all that a genuine one says, for so many products, in proofs that `signer` made. */
  async function crowdOf(size: number, signer: TestIssuer): Promise<Node[]> {
    return await Promise.all(
      Array.from({ length: size }, (_, n) => {
        const productId = productAt(n);
        return signer.certificate({
          claims: { productId },
          header: { kid: issuer.kid },
          document: { productID: productId, 'svc:status': sourceOf(productId) },
        });
      }),
    );
  }

  it.each([7, 8, 63])('is judged after %i forged ones', async (size) => {
    const crowd = await crowdOf(size, await createTestIssuer());
    const genuine = await issuer.certificate();
    expect((await check({ nodes: [...crowd, genuine] })).verdict).toBe('verified');
    expect((await check({ nodes: crowd })).verdict).not.toBe('verified');
  });

  it.each([8, 63])(
    'is judged after %i that the service signed for the page and other products',
    async (size) => {
      const report = await check({ nodes: [...(await crowdOf(size, issuer)), await issuer.certificate()] });
      expect(report.verdict).toBe('verified');
      expect(report.findings.join()).not.toContain('too_many_certificates');
    },
  );

  it.each([8, 63])('is judged after %i that have its proof and another name', async (size) => {
    const genuine = await issuer.certificate();
    const altered = Array.from({ length: size }, (_, n) => ({ ...genuine, name: `Another cup ${n}` }));
    expect((await check({ nodes: [...altered, genuine] })).verdict).toBe('verified');
  });

  it('costs at most 64 verified proofs, and none on an ordinary page', async () => {
    let proofs = 0;
    const onProof = () => {
      proofs += 1;
    };
    await check({ nodes: await crowdOf(8, issuer), onProof });
    expect(proofs).toBe(0);
    const report = await check({ nodes: await crowdOf(100, issuer), onProof });
    expect(proofs).toBe(64);
    expect(report.findings.join()).toContain('36 were left out');
  });
});

describe('the nodes that are judged', () => {
  it('are first those that could be genuine, and equal ones once', async () => {
    const genuine = await issuer.certificate();
    const elsewhere = Array.from({ length: 20 }, (_, n) => ({
      ...pointingTo({ url: 'https://e.example/' }),
      n,
    }));
    const ofThisProduct = Array.from({ length: 20 }, (_, n) => ({
      ...genuine,
      url: `https://shop.example/${n}`,
    }));
    const repeated = Array.from({ length: 20 }, () => ({ ...genuine, proof: { jwt: 'x' } }));
    const ids = Array.from({ length: 6 }, (_, n) => TEST_PRODUCT.productId.replace(/.$/, String(n)));
    const otherProducts = ids.map((id) =>
      JSON.parse(JSON.stringify(pointingTo(undefined)).replaceAll(TEST_PRODUCT.productId, id)),
    );
    for (const crowd of [elsewhere, ofThisProduct, repeated, otherProducts]) {
      const report = await check({ nodes: [...crowd, genuine] });
      expect(report.verdict).toBe('verified');
    }
    const twice = await check({ nodes: [genuine, { ...genuine }] });
    expect(twice.findings).toEqual(['json_ld_broken: A finding of the reader.']);
  });

  it('are at most 8 of the unsigned ones: the ninth is reported as omitted', async () => {
    const nodes = (length: number) => Array.from({ length }, (_, n) => ({ ...pointingTo(undefined), n }));
    const told = async (length: number) => (await check({ nodes: nodes(length) })).findings.join();
    expect(await told(8)).not.toContain('too_many_certificates');
    expect(await told(9)).toContain('1 were left out');
  });
});

describe('a URL with a password', () => {
  it('is neither stored nor repeated', async () => {
    const { withoutCredentials } = await import('@touchstone/certificate/text');
    for (const [given, kept] of [
      ['https://me:secret@shop.example/cup?a=@b#c', 'https://shop.example/cup?a=@b#c'],
      ['https://me@shop.example/', 'https://shop.example/'],
      ['https://me:se@cret@shop.example:99999/x@y', 'https://shop.example:99999/x@y'],
      ['https://shop.example/@me', 'https://shop.example/@me'],
      ['https://SHOP.example', 'https://SHOP.example'],
      ['junk', 'junk'],
    ] as const) {
      expect(withoutCredentials(given)).toBe(kept);
    }
  });
});

describe('the canonical link', () => {
  const longPath = `https://shop.example/products/${'cup-'.repeat(80)}`;

  it('that equals the signed URL is a finding with the next step, never a pass', async () => {
    const finalUrl = `${PAGE}?size=large`;
    const report = await check({ nodes: [await issuer.certificate()], finalUrl, canonicalUrl: PAGE });
    expect(report.verdict).toBe('checks_failed');
    expect(report.findings[0]).toMatch(/^canonical_link_matches: .*shop\.example\/products\/cup$/);
  });

  it('also if the URL is longer than the part that is reported', async () => {
    const certificate = await issuer.certificate({ claims: { url: longPath }, document: { url: longPath } });
    const report = await check({ nodes: [certificate], finalUrl: PAGE, canonicalUrl: longPath });
    expect(report.findings[0]).toMatch(/^canonical_link_matches: /);
  });

  it.each([
    ['of another site', { finalUrl: 'https://copy.example/products/cup', canonicalUrl: PAGE }],
    ['to something else', { finalUrl: `${PAGE}?size=large`, canonicalUrl: 'https://shop.example/' }],
    ['of a page that passes', { canonicalUrl: PAGE }],
  ])('%s is not a finding', async (_what, input) => {
    const report = await check({ nodes: [await issuer.certificate()], ...input });
    expect(report.findings.join()).not.toContain('canonical_link_matches');
  });

  it('is not reported with an invalid signature', async () => {
    const certificate = await issuer.certificate({ header: { kid: 'unheard-of' } });
    const report = await check({ nodes: [certificate], finalUrl: `${PAGE}?size=large`, canonicalUrl: PAGE });
    expect(report.findings.join()).not.toContain('canonical_link_matches');
  });
});

it('text from a certificate on the page is shown on a single line', async () => {
  const report = await check({ nodes: [pointingTo({ url: 'not\r\nan\u0000address\u2028' })] });
  expect(report.errors[0]).toMatch(/not an address$/);
});

it('a code of an earlier release is still reported', async () => {
  const report = await check({ failed: { code: 'gone_since', detail: 'x' } });
  expect(report.errors).toEqual(['gone_since: x']);
});
