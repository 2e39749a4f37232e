import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DOMAIN, type ImageScene, imageScene, problem } from './testing.ts';

let scene: ImageScene;

beforeAll(async () => {
  scene = await imageScene();
});
afterAll(() => scene.close());

const ways = () => [
  scene.verify({ domain: DOMAIN }),
  scene.get(`/${scene.imageId}/certificate`),
  scene.get(`/${scene.imageId}/certificate?full=true`),
];
const statuses = async () => (await Promise.all(ways())).map(({ status }) => status);

describe('402: paused by the plan', () => {
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

  it('a cached copy is revalidated before each use, so a pause takes effect at once', async () => {
    const path = `/${scene.imageId}/certificate`;
    const { headers } = await scene.get(path);
    const etag = headers.get('etag') ?? '';
    expect(headers.get('cache-control')).toBe('public, no-cache');
    expect((await scene.get(path, { 'if-none-match': etag })).status).toBe(304);
    await scene.operate('PATCH', `/merchants/${scene.merchantId}`, { paused: true });
    expect((await scene.get(path, { 'if-none-match': etag })).status).toBe(402);
  });
});
