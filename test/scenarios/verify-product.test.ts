import { CHECK_NAMES, type CheckName, LOAD_BEARING_CHECKS } from '@touchstone/certificate/verify';
import { describe, expect } from 'vitest';
import { covers, scenario } from '../kit/scenario.ts';
import { codes, type Json, useScene } from '../kit/service.ts';

const DAY = 86_400;

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
    '2: document with a proof: the signature checks run',
    covers('VERIFY-2', 'VV-VERIFIED', 'CAP-VERIFY'),
    async () => {
      const result = await verify({ document });
      expect(result.status).toBe('verified');
      expect(notTrue(result)).toEqual([]);
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

  scenario('4: document as a string that contains the node', covers('VERIFY-4'), async () => {
    expect((await verify({ document: JSON.stringify(document) })).status).toBe('verified');
  });

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

  scenario('6: the node by itself, unknown members ignored', covers('VERIFY-6', 'SD-UNKNOWN'), async () => {
    const more = { ...document, colour: 'blue', '@id': '#x', nested: { status: 'failed' } };
    expect((await verify({ document: more })).status).toBe('verified');
  });

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

describe('each of the nine checks failed alone', () => {
  async function flipped(name: CheckName, reason: string, more: Json, id?: string): Promise<Json> {
    const result = await verify({ document, ...more }, id);
    const checks = result.checks as Json;
    // other checks may have had nothing to compare
    expect(CHECK_NAMES.filter((one) => checks[one] === false)).toEqual([name]);
    expect((result.checkDetails as Record<string, Json>)[name]?.reason).toBe(reason);
    const decides = (LOAD_BEARING_CHECKS as readonly string[]).includes(name);
    expect(result.status).toBe(decides ? 'failed' : 'verified');
    expect(codes(decides ? result.errors : result.warnings)).toEqual([reason]);
    return result;
  }

  scenario('signatureValid: one bit of the signature', covers('CHECK-SIGNATURE', 'CHECK-FALSE'), async () => {
    const { jwt, ...proof } = document.proof as { jwt: string };
    const at = jwt.lastIndexOf('.') + 20;
    const changed = jwt.slice(0, at) + (jwt[at] === 'A' ? 'B' : 'A') + jwt.slice(at + 1);
    await flipped('signatureValid', 'signature_mismatch', {
      document: { ...document, proof: { ...proof, jwt: changed } },
    });
  });

  scenario(
    'certificateIntegrity: the document names another product',
    covers('CHECK-INTEGRITY'),
    async () => {
      const productID = '9b2f7c1e-3a4d-4c6b-8f10-5d6e7a8b9c0d';
      await flipped('certificateIntegrity', 'document_differs', { document: { ...document, productID } });
    },
  );

  scenario('timestampValid: eight days later', covers('CHECK-TIME'), async () => {
    scene.travel(8 * DAY);
    await flipped('timestampValid', 'proof_expired', {});
    scene.travel(-8 * DAY);
  });

  scenario('boundToDomain: signed for another domain and this page', covers('CHECK-DOMAIN'), async () => {
    const { 'svc:issuedFor': _for, ...bare } = await scene.signedAnew(document, { domain: 'outlet.example' });
    await flipped('boundToDomain', 'another_address_of_shop', { document: bare });
  });

  scenario('productIdMatches: asked about another product of the shop', covers('CHECK-PRODUCT'), async () => {
    const teapot = await store.product('teapot');
    await flipped('productIdMatches', 'product_differs', {}, teapot.id);
  });

  scenario('boundToUrl: another page of the shop', covers('CHECK-URL'), async () => {
    await flipped('boundToUrl', 'url_differs', { productUrl: 'http://shop.example/products/teapot' });
  });

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
      await flipped(
        'domainVerified',
        'domain_unverified',
        { document: own, productUrl: product.url },
        product.id,
      );
    },
  );

  scenario('trustDataCurrent: an image was added since', covers('CHECK-CURRENT', 'VV-ADVISORY'), async () => {
    const product = await store.product('growing');
    const own = await scene.certificate(product.id);
    const images = [{ url: 'http://shop.example/images/side.jpg' }];
    await scene.operate('POST', `/products/${product.id}/images`, { images });
    await flipped(
      'trustDataCurrent',
      'coverage_changed',
      { document: own, productUrl: product.url },
      product.id,
    );
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
    expect([result.status, codes(result.warnings)]).toEqual(['verified', ['product_not_publishing']]);
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
