import { describe, expect } from 'vitest';
import { covers, scenario } from '../kit/scenario.ts';
import { type Json, useScene } from '../kit/service.ts';

const HOST = 'large.example';
/** More products than one call processes. */
const COUNT = 1_100;

const scene = await useScene();
const store = await scene.store(HOST, { planCapacity: 0, proven: false });
const ids: string[] = [];
for (let begun = 0; begun < COUNT; begun += 550) {
  const rows = Array.from({ length: 550 }, (_, nth) => ({
    externalProductId: String(begun + nth),
    name: `Cup ${begun + nth}`,
    url: `https://${HOST}/products/${begun + nth}`,
  }));
  const { results } = await scene.operate('PUT', `/stores/${store.id}/products`, rows);
  ids.push(...(results as { id: string }[]).map(({ id }) => id));
}

const merchant = () => scene.operate('GET', `/merchants/${store.merchantId}`);
const isFollowed = () => expect.poll(async () => (await merchant()).pendingChanges).toEqual([]);
const statusOf = async (id: string | undefined) =>
  (await scene.call('GET', `/api/v1/mc4p/products/${id}/certificate`)).status;
const isSigned = async (id: string | undefined) => 'proof' in (await scene.certificate(id ?? ''));

describe('a change of more products than one call can update', () => {
  scenario(
    'of capacity is reported until every product has its seat, and then its certificate',
    covers('LARGE-CHANGES'),
    async () => {
      const { pendingChanges } = await scene.operate('PATCH', `/merchants/${store.merchantId}`, {
        planCapacity: COUNT,
      });
      const [change] = pendingChanges as Json[];
      expect(change).toMatchObject({ kind: 'capacity', state: 'pending' });
      await isFollowed();
      expect(await scene.operate('GET', `/changes/${change?.id}`)).toMatchObject({
        state: 'done',
        done: COUNT,
        total: COUNT,
      });
      expect(await merchant()).toMatchObject({ slotsHeld: COUNT });
      expect([await isSigned(ids[0]), await isSigned(ids.at(-1))]).toEqual([true, true]);
    },
  );

  scenario(
    'a deletion takes effect at once, for cached and other certificates, and its seats go to others',
    covers('LARGE-CHANGES'),
    async () => {
      const change = await scene.operate('DELETE', `/stores/${store.id}`);
      expect([await statusOf(ids[0]), await statusOf(ids.at(-1)), await statusOf(ids[550])]).toEqual([
        404, 404, 404,
      ]);
      await isFollowed();
      expect(await scene.operate('GET', `/changes/${change.id}`)).toMatchObject({
        state: 'done',
        done: COUNT,
      });
      expect(await merchant()).toMatchObject({ slotsHeld: 0, planCapacity: COUNT });
    },
  );
});
