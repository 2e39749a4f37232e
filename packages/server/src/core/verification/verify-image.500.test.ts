import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { throughProxy } from '../../testing.ts';
import { DOMAIN, type ImageScene, imageScene, problem } from './testing.ts';

let scene: ImageScene;

beforeAll(async () => {
  scene = await imageScene();
});
afterAll(() => scene.close());

describe('500: a fault of our own', () => {
  it('that is unexpected reveals nothing internal, and names the request in the log', async () => {
    // what a botched repair by hand would leave
    await scene.service.database.query('alter table images rename column position to rank');
    const calls = [
      scene.verify({ domain: DOMAIN }),
      scene.get(`/${scene.imageId}/certificate`),
      scene.get(`/${scene.imageId}/certificate?full=true`),
    ];
    for (const answer of await Promise.all(calls)) {
      expect(answer.status).toBe(500);
      expect(answer.json).toEqual(problem(500, 'internal'));
      expect(JSON.stringify(answer.json)).not.toMatch(/column|position|images/);
      expect(scene.service.log.join('')).toContain(answer.json.requestId);
      expect(answer.headers.get('cache-control')).toBe('no-store');
    }
    await scene.service.database.query('alter table images rename column rank to position');
    expect((await scene.verify({ domain: DOMAIN })).status).toBe(200);
  });
});

describe('503, for temporary faults', () => {
  it('while the database is not reachable, with the time to retry; no check is false because of that', async () => {
    const proxy = await throughProxy(scene.service.database);
    const node = await scene.service.restart({ TOUCHSTONE_DATABASE_URL: proxy.url });
    const ask = () =>
      fetch(`${node.url}/api/v1/mc4p/${scene.imageId}/verify`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ domain: DOMAIN }),
      });
    proxy.cut();
    const answer = await ask();
    expect(answer.status).toBe(503);
    expect(await answer.json()).toEqual(problem(503, 'database_unavailable'));
    expect(answer.headers.get('retry-after')).toMatch(/^\d+$/);
    await proxy.restore();
    await expect.poll(async () => (await ask()).status).toBe(200);
    await node.close();
    proxy.close();
  });
});
