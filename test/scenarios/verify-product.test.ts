import { CHECK_NAMES, type CheckName } from '@touchstone/certificate/verify';
import { describe, expect } from 'vitest';
import { covers, scenario } from '../kit/scenario.ts';
import { codes, type Json, type SceneProduct, useScene } from '../kit/service.ts';

const scene = await useScene();
const store = await scene.store('shop.example');
const kettle = await store.product('kettle');
const document = await scene.certificate(kettle.id);

const verify = (more: Json = {}, id = kettle.id) => scene.verify(id, { productUrl: kettle.url, ...more });

function notTrue(result: Json): CheckName[] {
  const checks = result.checks as Record<CheckName, boolean | null>;
  return CHECK_NAMES.filter((name) => checks[name] !== true);
}

const SIGNATURE_CHECKS: CheckName[] = CHECK_NAMES.filter((name) => !name.startsWith('domain'));

describe('each of the seven rules', () => {
  scenario(
    '1: document omitted: only domain checks run',
    covers('VERIFY-1', 'VV-NO-DOCUMENT', 'CHECK-NULL', 'EP3-POST', 'AUTH-2'),
    async () => {
      for (const result of [await verify(), await verify({ document: null })]) {
        expect(result).toMatchObject({ status: 'unverified', errors: [], warnings: [] });
        expect(notTrue(result)).toEqual(SIGNATURE_CHECKS);
        expect(SIGNATURE_CHECKS.map((name) => (result.checks as Json)[name])).toEqual(
          SIGNATURE_CHECKS.map(() => null),
        );
      }
    },
  );

  scenario(
    '2, 4 and 6: document with a proof, as the node or as a string that contains it, unknown members ignored: the signature checks run',
    covers('VERIFY-2', 'VERIFY-4', 'VERIFY-6', 'SD-UNKNOWN', 'VV-VERIFIED', 'CAP-VERIFY'),
    async () => {
      const more = { ...document, colour: 'blue', '@id': '#x', nested: { status: 'failed' } };
      for (const one of [document, JSON.stringify(document), more]) {
        const result = await verify({ document: one });
        expect(result.status).toBe('verified');
        expect(notTrue(result)).toEqual([]);
      }
    },
  );

  scenario(
    '3: document without a proof: unverified',
    covers('VERIFY-3', 'VV-UNVERIFIED', 'CHECK-SKIPPED'),
    async () => {
      const { proof: _proof, ...identity } = document;
      const result = await verify({ document: identity });
      expect([result.status, codes(result.warnings), result.errors]).toEqual([
        'unverified',
        ['proof_absent'],
        [],
      ]);
    },
  );

  scenario(
    '5: document that is not a single node: dropped with a warning, never 422',
    covers('VERIFY-5', 'ERR-NOT-DOCUMENT', 'VERIFY-ODD'),
    async () => {
      const odd = [[document], { '@graph': [document] }, 7, true, 'kettle', '', JSON.stringify([document])];
      for (const one of odd) {
        const result = await verify({ document: one });
        expect([result.status, (result.warnings as unknown[]).length]).toEqual(['unverified', 1]);
        expect(codes(result.warnings)[0]).toMatch(/^document_not_(single_node|json)$/);
      }
    },
  );

  scenario('7: exactly one of three verdicts', covers('VERIFY-7', 'VR-STATUS'), async () => {
    const answers = [
      await verify(),
      await verify({ document }),
      await verify({ document: { ...document, url: 'x' } }),
    ];
    expect(answers.map(({ status }) => status)).toEqual(['unverified', 'verified', 'failed']);
  });
});

describe('what was signed', () => {
  scenario(
    'is reported separately from the document, wherever it was found',
    covers('VR-SIGNED'),
    async () => {
      const elsewhere = { productUrl: 'http://copy.example/products/kettle' };
      for (const result of [await verify({ document }), await verify({ document, ...elsewhere })]) {
        expect(result.verifier).toMatch(/^touchstone\/\d+\.\d+\.\d+$/);
        expect(result.signed).toMatchObject({
          kind: 'product',
          issuer: scene.service.baseUrl,
          domain: 'shop.example',
          url: kettle.url,
          productId: kettle.id,
          storeName: expect.any(String),
          productName: expect.any(String),
          issuedAt: expect.stringMatching(/^\d{4}-.*Z$/),
          expiresAt: expect.stringMatching(/^\d{4}-.*Z$/),
        });
      }
    },
  );

  scenario('is absent if nothing valid was signed', covers('VR-SIGNED'), async () => {
    const { jwt } = document.proof as { jwt: string };
    const forged = {
      ...document,
      proof: { jwt: `${jwt.slice(0, -6)}${jwt.endsWith('AAAAAA') ? 'BBBBBB' : 'AAAAAA'}` },
    };
    for (const result of [await verify(), await verify({ document: forged })])
      expect(result).not.toHaveProperty('signed');
  });
});

/** The six checks of the certificate itself, failed alone: the vectors `alone-…` of test/vectors/verdicts.json. */
describe('each of the three checks of the registry failed alone', () => {
  async function warned(name: CheckName, reason: string, product: SceneProduct, own: Json): Promise<void> {
    const result = await scene.verify(product.id, { productUrl: product.url, document: own });
    const checks = result.checks as Json;
    // other checks may have had nothing to compare
    expect(CHECK_NAMES.filter((one) => checks[one] === false)).toEqual([name]);
    expect((result.checkDetails as Record<string, Json>)[name]?.reason).toBe(reason);
    expect([result.status, codes(result.warnings)]).toEqual(['verified', [reason]]);
  }

  scenario(
    'domainKnown (and with it domainVerified and boundToDomain): another merchant has proven the host',
    covers('CHECK-KNOWN', 'KNOWN-DOMAIN', 'VERIFY-STATES', 'HOST-LOST'),
    async () => {
      const losing = await scene.store('lost.example', { proven: false });
      const lost = await losing.product('lost');
      const before = await scene.certificate(lost.id);
      await scene.store('lost.example');
      const result = await scene.verify(lost.id, { productUrl: lost.url, document: before });
      expect(notTrue(result)).toEqual(['domainKnown', 'domainVerified', 'boundToDomain']);
      expect(result.status).toBe('failed');
      expect(codes(result.errors)).toEqual(['host_lost']);
      expect(codes(result.warnings)).toEqual(['product_not_publishing', 'domain_unknown']);
    },
  );

  scenario(
    'domainVerified: a domain that was never proven',
    covers('CHECK-VERIFIED', 'VV-ADVISORY'),
    async () => {
      const unproven = await scene.store('unproven.example', { proven: false });
      const product = await unproven.product('kettle');
      const own = await scene.certificate(product.id);
      await warned('domainVerified', 'domain_unverified', product, own);
    },
  );

  scenario('trustDataCurrent: an image was added since', covers('CHECK-CURRENT', 'VV-ADVISORY'), async () => {
    const product = await store.product('growing');
    const own = await scene.certificate(product.id);
    const images = [{ url: 'http://shop.example/images/side.jpg' }];
    await scene.operate('POST', `/products/${product.id}/images`, { images });
    await warned('trustDataCurrent', 'coverage_changed', product, own);
  });
});

describe('the result', () => {
  scenario(
    'names the product of the path, the domain of the registry, nine checks and their reasons',
    covers('VR-PRODUCTID', 'VR-ISSUEDFOR', 'VR-CHECKS', 'VR-DETAILS', 'VR-WARNINGS', 'VR-ERRORS'),
    async () => {
      const claimed = { ...document, 'svc:issuedFor': { domain: 'bargains.example' } };
      const result = await verify({ document: claimed }, kettle.id.toUpperCase());
      expect(Object.keys(result)).toEqual([
        'status',
        'productId',
        'issuedFor',
        'signed',
        'checks',
        'checkDetails',
        'warnings',
        'errors',
        'conclusion',
        'verifier',
        'withdrawal',
      ]);
      expect(result).toMatchObject({ productId: kettle.id, issuedFor: 'shop.example' });
      expect(Object.keys(result.checks as Json)).toEqual([...CHECK_NAMES]);
      expect(Object.keys(result.checkDetails as Json)).toEqual([...CHECK_NAMES]);
      expect(result.errors).toEqual([expect.stringMatching(/^document_differs: [A-Z].*bargains\.example/)]);
    },
  );

  scenario(
    'of a copied page states that it was issued for another site',
    covers('VV-FAILED', 'CHECK-DOMAIN', 'CHECK-URL'),
    async () => {
      const result = await verify({ document, productUrl: 'http://copy.example/products/kettle' });
      expect(result.status).toBe('failed');
      expect(codes(result.errors).toSorted()).toEqual(['domain_differs', 'url_differs']);
    },
  );
});

describe('products that are inactive or do not exist', () => {
  scenario('hidden: the checks as usual, with a warning', covers('VERIFY-STATES'), async () => {
    const product = await store.product('hiding');
    const own = await scene.certificate(product.id);
    await scene.operate('PATCH', `/products/${product.id}`, { visible: false });
    const result = await scene.verify(product.id, { productUrl: product.url, document: own });
    expect([result.status, codes(result.warnings)]).toEqual([
      'verified',
      ['certificate_suspended', 'product_not_publishing'],
    ]);
  });

  scenario('unknown, disabled, deleted: 404', covers('VERIFY-STATES', 'ERR-404'), async () => {
    const [disabled, deleted] = [await store.product('off'), await store.product('gone')];
    await scene.operate('PATCH', `/products/${disabled.id}`, { disabled: true });
    await scene.operate('DELETE', `/products/${deleted.id}`);
    for (const id of [disabled.id, deleted.id, '9b2f7c1e-3a4d-4c6b-8f10-5d6e7a8b9c0d']) {
      const answer = await scene.call('POST', `/api/v1/mc4p/products/${id}/verify`, {
        productUrl: kettle.url,
      });
      expect([answer.status, answer.json.code]).toEqual([404, 'product_unknown']);
    }
  });
});
