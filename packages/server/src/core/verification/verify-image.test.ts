import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DOMAIN, failedResult, type ImageScene, imageScene, PRODUCT, problem } from './testing.ts';

let scene: ImageScene;

beforeAll(async () => {
  scene = await imageScene();
});
afterAll(() => scene.close());

describe('the certificate of an image is valid (200)', () => {
  it('on the domain that it was issued for, with the complete result', async () => {
    const answer = await scene.verify({ domain: DOMAIN });
    expect(answer.status).toBe(200);
    expect(answer.json).toEqual({
      verified: true,
      imageId: scene.imageId,
      authorizedDomain: DOMAIN,
      currentDomain: DOMAIN,
      signed: {
        kind: 'image',
        issuer: expect.any(String),
        issuedAt: expect.any(String),
        expiresAt: expect.any(String),
        domain: DOMAIN,
        url: PRODUCT.url,
        productId: scene.productId,
        externalProductId: PRODUCT.externalProductId,
        productName: PRODUCT.name,
        storeName: 'The Shop',
        storeUrl: `https://${DOMAIN}/`,
        control: { method: 'none' },
        imageId: scene.imageId,
        contentUrl: PRODUCT.images[0]?.url,
      },
      checks: { domainMatches: true, certificateConsistency: true },
      warnings: [expect.stringMatching(/^domain_unverified: /)],
      errors: [],
      verifier: expect.any(String),
    });
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
  });

  it('with unknown members in the request, and any spelling of the id', async () => {
    const answer = await scene.verify({ domain: DOMAIN, seenAt: 'noon' }, scene.imageId.toUpperCase());
    expect([answer.status, answer.json.imageId]).toEqual([200, scene.imageId]);
  });
});

describe('a payload is answered 400', () => {
  it.each([
    ['nothing', '', ['body'], 'missing'],
    ['no JSON', '{"domain":', ['body', 10], 'json_invalid'],
    ['a list', [], ['body'], 'dict_type'],
    ['no domain', {}, ['body', 'domain'], 'missing'],
    ['a domain that is not a string', { domain: 7 }, ['body', 'domain'], 'string_type'],
    ['a domain with a scheme', { domain: 'https://shop.example' }, ['body', 'domain'], 'value_error'],
    ['a domain with a port', { domain: 'shop.example:443' }, ['body', 'domain'], 'value_error'],
    ['a domain with a path', { domain: 'shop.example/cup' }, ['body', 'domain'], 'value_error'],
    ['a domain with credentials', { domain: 'me@shop.example' }, ['body', 'domain'], 'value_error'],
    ['an address of a machine', { domain: '127.0.0.1' }, ['body', 'domain'], 'value_error'],
    ['an empty domain', { domain: '' }, ['body', 'domain'], 'value_error'],
    [
      'a field that is not a string',
      { domain: DOMAIN, verifyField: 1 },
      ['body', 'verifyField'],
      'string_type',
    ],
    [
      'a value without its field',
      { domain: DOMAIN, fieldValue: 'x' },
      ['body', 'verifyField'],
      'value_error',
    ],
  ])('that is invalid or lacks what is required: %s', async (_, body, loc, type) => {
    const answer = await scene.verify(body);
    expect(answer.status).toBe(400);
    expect(answer.json).toEqual(
      problem(400, 'bad_request', { errors: [expect.objectContaining({ loc, type })] }),
    );
    expect(answer.headers.get('content-type')).toBe('application/problem+json');
  });

  it('naming every fault at once', async () => {
    const { status, json } = await scene.verify({ verifyField: 1, fieldValue: 2 });
    expect([status, json.errors.map(({ loc }: { loc: string[] }) => loc[1])]).toEqual([
      400,
      ['domain', 'verifyField', 'fieldValue'],
    ]);
  });

  it('before the image is looked up', async () => {
    const answer = await scene.verify({}, '00000000-0000-4000-8000-000000000000');
    expect(answer.status).toBe(400);
  });
});

const ways = () => [
  scene.verify({ domain: DOMAIN }),
  scene.get(`/${scene.imageId}/certificate`),
  scene.get(`/${scene.imageId}/certificate?full=true`),
];
const statuses = async () => (await Promise.all(ways())).map(({ status }) => status);

describe('the certificate of an image is paused (402)', () => {
  it.each([
    ['the merchant is paused', { paused: true }, { paused: false }],
    ['its plan has no seat for the product', { planCapacity: 0 }, { planCapacity: 5 }],
  ])('while %s; both at once, cached or not', async (_, pause, resume) => {
    expect(await statuses()).toEqual([200, 200, 200]);
    await scene.operate('PATCH', `/merchants/${scene.merchantId}`, pause);
    for (const answer of await Promise.all(ways())) {
      expect(answer.json).toEqual(problem(402, 'certificate_paused'));
      expect(answer.status).toBe(402);
      expect(answer.headers.get('cache-control')).toBe('no-store');
    }
    await scene.operate('PATCH', `/merchants/${scene.merchantId}`, resume);
    expect(await statuses()).toEqual([200, 200, 200]);
  });

  it('at once, since a cached copy is revalidated before each use', async () => {
    const path = `/${scene.imageId}/certificate`;
    const { headers } = await scene.get(path);
    const etag = headers.get('etag') ?? '';
    expect(headers.get('cache-control')).toBe('public, no-cache');
    expect((await scene.get(path, { 'if-none-match': etag })).status).toBe(304);
    await scene.operate('PATCH', `/merchants/${scene.merchantId}`, { paused: true });
    expect((await scene.get(path, { 'if-none-match': etag })).status).toBe(402);
    await scene.operate('PATCH', `/merchants/${scene.merchantId}`, { paused: false });
  });
});

describe('a malformed request is answered 422', () => {
  it('with the validation body and every fault, if the id is not a UUID', async () => {
    const { status, json } = await scene.verify({ domain: 7 }, 'no-uuid');
    expect(status).toBe(422);
    expect(json).toEqual({
      detail: [
        expect.objectContaining({ loc: ['path', 'image_id'], type: 'uuid_parsing' }),
        expect.objectContaining({ loc: ['body', 'domain'] }),
      ],
    });
    expect((await scene.get('/no-uuid/certificate')).status).toBe(422);
    expect((await scene.get(`/${scene.imageId}/certificate?full=yes`)).json.detail).toMatchObject([
      { loc: ['query', 'full'] },
    ]);
  });
});

describe('a stored proof is answered 422', () => {
  const proofs = `update proofs set header = p.header, payload = p.payload, signature = p.signature
    from proofs p where proofs.kind = 'image' and proofs.subject_id = $1 and p.kind = 'image' and p.subject_id = $2`;
  let siblings: string[];

  beforeAll(async () => {
    const images = ['a', 'b', 'c'].map((name) => ({ url: `https://${DOMAIN}/${name}.jpg` }));
    const product = (await scene.operate('POST', `/products/${scene.productId}/images`, { images })) as {
      images: { id: string }[];
    };
    siblings = product.images.slice(1).map(({ id }) => id);
    for (const id of siblings) expect((await scene.get(`/${id}/certificate`)).status).toBe(200);
  });

  const expectInvalid = async (id: string, signed: object) => {
    const answer = await scene.verify({ domain: DOMAIN }, id);
    const result = {
      ...failedResult(id, { certificateConsistency: false }, 'proof_invalid'),
      ...signed,
    };
    expect(answer.status).toBe(422);
    expect(answer.json).toEqual(problem(422, 'proof_invalid', { result }));
  };

  it('that does not verify', async () => {
    const [id = ''] = siblings;
    await scene.service.database.query(
      `update proofs set signature = case left(signature, 1) when 'A' then 'B' else 'A' end || substr(signature, 2)
         where kind = 'image' and subject_id = $1`,
      [id],
    );
    // no claims are reported as signed
    await expectInvalid(id, {});
  });

  it('that verifies, but contradicts the record', async () => {
    const [, id = '', genuine = ''] = siblings;
    await scene.service.database.query(proofs, [id, genuine]);
    await expectInvalid(id, { signed: expect.objectContaining({ imageId: genuine }) });
    expect((await scene.verify({ domain: DOMAIN }, genuine)).status).toBe(200);
  });
});

async function expectGone(imageId: string): Promise<void> {
  const answers = await Promise.all([
    scene.verify({ domain: DOMAIN }, imageId),
    scene.get(`/${imageId}/certificate`),
    scene.get(`/${imageId}/certificate?full=true`),
  ]);
  for (const answer of answers) {
    expect(answer.json).toEqual(problem(404, 'image_certificate_unknown'));
    expect(answer.status).toBe(404);
    expect(answer.headers.get('cache-control')).toBe('no-store');
  }
}

const patch = (changes: object) => scene.operate('PATCH', `/products/${scene.productId}`, changes);

describe('an image has no certificate (404)', () => {
  it('if its id is unknown', () => expectGone(randomUUID()));

  it('if the id is that of a product', () => expectGone(scene.productId));

  it('while its merchant hides the product, even if the plan would not cover it either', async () => {
    await patch({ visible: false });
    await expectGone(scene.imageId);
    await scene.operate('PATCH', `/merchants/${scene.merchantId}`, { paused: true });
    await expectGone(scene.imageId);
    await scene.operate('PATCH', `/merchants/${scene.merchantId}`, { paused: false });
    await patch({ visible: true });
    expect((await scene.verify({ domain: DOMAIN })).status).toBe(200);
  });

  it('while the operator disables the product', async () => {
    await patch({ disabled: true });
    await expectGone(scene.imageId);
    await patch({ disabled: false });
  });

  it('if its bytes turned out not to be an image', async () => {
    const url = `https://${DOMAIN}/film.mp4`;
    const { images } = (await scene.operate('POST', `/products/${scene.productId}/images`, {
      images: [{ url }],
    })) as { images: { id: string; url: string }[] };
    const film = images.find((image) => image.url === url)?.id ?? '';
    await scene.service.database.query("update images set media_type = 'video/mp4' where id = $1", [film]);
    await expectGone(film);
  });

  it('once it has been removed from its product, and until it is added again', async () => {
    await scene.operate('DELETE', `/images/${scene.imageId}`);
    await expectGone(scene.imageId);
    await scene.operate('POST', `/products/${scene.productId}/images`, { images: PRODUCT.images });
    expect((await scene.verify({ domain: DOMAIN })).status).toBe(200);
  });

  it('once its product is deleted', async () => {
    const row = { ...PRODUCT, externalProductId: 'gone', url: `${PRODUCT.url}-gone` };
    const { results } = (await scene.operate('PUT', `/stores/${scene.storeId}/products`, [row])) as {
      results: { id: string }[];
    };
    const path = `/products/${results[0]?.id}`;
    const { images } = (await scene.operate('GET', path)) as { images: { id: string }[] };
    expect((await scene.verify({ domain: DOMAIN }, images[0]?.id)).status).toBe(200);
    await scene.operate('DELETE', path);
    await expectGone(images[0]?.id ?? '');
  });
});
