import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { proveHost } from '../../testing.ts';
import { DOMAIN, failedResult, type ImageScene, imageScene, problem } from './testing.ts';

let scene: ImageScene;

beforeAll(async () => {
  scene = await imageScene({ settings: { TOUCHSTONE_REQUIRE_VERIFIED_DOMAIN: 'true' } });
});
afterAll(() => scene.close());

describe('412: if control of the domain must be proven (TOUCHSTONE_REQUIRE_VERIFIED_DOMAIN)', () => {
  it('the domain that it was issued for, while its control is not proven', async () => {
    const answer = await scene.verify({ domain: DOMAIN });
    expect(answer.status).toBe(412);
    expect(answer.json).toEqual(
      problem(412, 'domain_unverified', { result: failedResult(scene.imageId, {}, 'domain_unverified') }),
    );
  });

  it('a proven one passes, and a foreign one is still 403', async () => {
    await proveHost(scene.service, DOMAIN, scene.merchantId);
    await expect.poll(async () => (await scene.verify({ domain: DOMAIN })).status).toBe(200);
    expect((await scene.verify({ domain: DOMAIN })).json.warnings).toEqual([]);
    expect((await scene.verify({ domain: 'evil.example' })).status).toBe(403);
  });
});
