import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DOMAIN, failedResult, type ImageScene, imageScene, problem } from './testing.ts';

let scene: ImageScene;

beforeAll(async () => {
  scene = await imageScene();
});
afterAll(() => scene.close());

describe('422: a malformed request, or an invalid proof', () => {
  it('an id that is not a UUID, with the validation body and every other fault', async () => {
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

  it.each(['price', 'constructor', '__proto__', '', 'ProductId'])(
    'a field that nothing is bound to: %j',
    async (verifyField) => {
      for (const body of [{ verifyField }, { verifyField, fieldValue: 'x' }]) {
        const answer = await scene.verify({ domain: DOMAIN, ...body });
        expect(answer.status).toBe(422);
        expect(answer.json).toEqual(problem(422, 'field_unsupported'));
        expect(answer.json.detail).toContain('woocommerceProductId');
      }
    },
  );

  it('a field without the observed value', async () => {
    const answer = await scene.verify({ domain: DOMAIN, verifyField: 'sku' });
    expect([answer.status, answer.json]).toEqual([422, problem(422, 'field_value_missing')]);
  });
});

describe('422: a stored proof', () => {
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
