import { FullProductCertificateSchema, IdentityOnlyProductSchema } from '@touchstone/certificate/schema';
import { describe, expect } from 'vitest';
import { changeImage } from '../../packages/server/src/core/certificates/testing.ts';
import { covers, scenario } from '../kit/scenario.ts';
import { type Json, useScene } from '../kit/service.ts';

const scene = await useScene();
const store = await scene.store('shop.example');

const IDENTITY = ['@context', '@type', 'productID', 'url', 'svc:issuedFor', 'svc:status'];
const UNKNOWN = '9b2f7c1e-3a4d-4c6b-8f10-5d6e7a8b9c0d';
const path = (id: string) => `/api/v1/mc4p/products/${id}/certificate`;

describe('each row of the state table: products', () => {
  scenario(
    'active: 200, the full certificate with proof',
    covers('STATE-ACTIVE', 'EP1-GET', 'CAP-PRODUCT', 'AUTH-1'),
    async () => {
      const { id } = await store.product('active');
      const answer = await scene.call('GET', path(id));
      expect(answer.status).toBe(200);
      expect(FullProductCertificateSchema.parse(answer.json)).toEqual(answer.json);
    },
  );

  scenario(
    'visibility off: 200, identity only',
    covers('STATE-HIDDEN', 'PC-R2-KEYS', 'PC-R2-ABSENT'),
    async () => {
      const { id } = await store.product('hidden', { visible: false });
      const answer = await scene.call('GET', path(id));
      expect(answer.status).toBe(200);
      expect(Object.keys(answer.json)).toEqual(IDENTITY);
      expect(IdentityOnlyProductSchema.parse(answer.json)).toEqual(answer.json);
      expect(answer.text).not.toContain('null');
    },
  );

  scenario('beyond the plan: 200, identity only', covers('STATE-CAPACITY', 'PC-R2-KEYS'), async () => {
    const small = await scene.store('small.example', { planCapacity: 1, proven: false });
    const first = await small.product('first');
    const second = await small.product('second');
    expect(await scene.certificate(first.id)).toHaveProperty('proof');
    expect(Object.keys(await scene.certificate(second.id))).toEqual(IDENTITY);
  });

  scenario(
    'unknown or never ingested: 404',
    covers('STATE-UNKNOWN', 'EP1-404', 'ERR-404', 'CLIENT-404'),
    async () => {
      const answer = await scene.call('GET', path(UNKNOWN));
      expect(answer.status).toBe(404);
      expect(answer.json).toMatchObject({ code: 'product_unknown', status: 404 });
      expect(answer.headers.get('cache-control')).toBe('no-store');
    },
  );

  scenario('disabled: 404', covers('STATE-DISABLED', 'EP1-404', 'ERR-404'), async () => {
    const { id } = await store.product('disabled');
    expect((await scene.call('GET', path(id))).status).toBe(200);
    await scene.operate('PATCH', `/products/${id}`, { disabled: true });
    expect((await scene.call('GET', path(id))).status).toBe(404);
  });

  scenario('deleted: 404', covers('STATE-DELETED', 'ERR-404'), async () => {
    const { id } = await store.product('deleted');
    expect((await scene.call('GET', path(id))).status).toBe(200);
    await scene.operate('DELETE', `/products/${id}`);
    expect((await scene.call('GET', path(id))).status).toBe(404);
  });
});

describe('each row of the state table: assets', () => {
  const assetPath = (id: string) => `/api/v1/mc4p/assets/${id}/certificate`;

  async function assetsOf(productId: string): Promise<string[]> {
    const images = (await scene.certificate(productId))['svc:images'] as { certification: Json }[];
    return images.map(({ certification }) => String(certification['svc:assetId']));
  }

  scenario(
    'authorised: 200, the full asset certificate',
    covers('STATE-ASSET', 'EP2-GET', 'CAP-ASSET', 'AUTH-1'),
    async () => {
      const { id } = await store.product('asset-active');
      const [assetId = ''] = await assetsOf(id);
      const answer = await scene.call('GET', assetPath(assetId));
      expect(answer.status).toBe(200);
      expect(answer.json).toMatchObject({ '@type': 'ImageObject', proof: { algorithm: 'RS256' } });
    },
  );

  scenario(
    'of a product that is not active: 200, identity only',
    covers('STATE-ASSET-NOT', 'AC-IDENTITY'),
    async () => {
      const { id } = await store.product('asset-hidden');
      const [assetId = ''] = await assetsOf(id);
      await scene.operate('PATCH', `/products/${id}`, { visible: false });
      const answer = await scene.call('GET', assetPath(assetId));
      expect(answer.status).toBe(200);
      for (const key of ['svc:contentCredentials', 'svc:nft', 'verification', 'proof']) {
        expect(answer.json).not.toHaveProperty([key]);
      }
      expect(answer.json['svc:issuedFor']).toMatchObject({ assetId });
    },
  );

  scenario('unknown: 404', covers('STATE-ASSET-UNKNOWN', 'EP2-404'), async () => {
    const answer = await scene.call('GET', assetPath(UNKNOWN));
    expect([answer.status, answer.json.code]).toEqual([404, 'asset_unknown']);
  });

  scenario(
    'without a certificate, because its product was deleted: 404',
    covers('STATE-ASSET-NONE', 'EP2-404'),
    async () => {
      const { id } = await store.product('asset-gone');
      const [kept = '', removed = ''] = await assetsOf(id);
      await scene.operate('DELETE', `/images/${removed}`);
      expect((await scene.call('GET', assetPath(removed))).status).toBe(404);
      await scene.operate('PATCH', `/products/${id}`, { disabled: true });
      expect((await scene.call('GET', assetPath(kept))).status).toBe(404);
    },
  );

  scenario('that is not an image: refused as such', covers('EP2-NOT-IMAGE'), async () => {
    const { id } = await store.product('asset-video');
    const [assetId = ''] = await assetsOf(id);
    await changeImage(scene.service.database, assetId, { media_type: 'video/mp4' });
    // another writer's change is visible soon
    const answer = async () => {
      const { status, json } = await scene.call('GET', assetPath(assetId));
      return [status, json.code];
    };
    await expect.poll(answer).toEqual([415, 'asset_not_image']);
  });
});

describe('transitions', () => {
  scenario(
    'hide and show again, and a free seat goes to the product that has waited longest',
    covers('STATE-MOVES'),
    async () => {
      const small = await scene.store('moves.example', { planCapacity: 1, proven: false });
      const [first, second, third] = [
        await small.product('1'),
        await small.product('2'),
        await small.product('3'),
      ];
      const active = async () => {
        const products = [first, second, third].map(({ id }) => scene.certificate(id));
        return (await Promise.all(products)).map((certificate) => 'proof' in certificate);
      };
      expect(await active()).toEqual([true, false, false]);
      await scene.operate('PATCH', `/products/${first.id}`, { visible: false });
      expect(await active()).toEqual([false, true, false]);
      await scene.operate('PATCH', `/products/${first.id}`, { visible: true });
      expect(await active()).toEqual([false, true, false]);
      await scene.operate('DELETE', `/products/${second.id}`);
      expect((await scene.certificate(first.id)).proof).toBeDefined();
      await scene.operate('PATCH', `/merchants/${small.merchantId}`, { planCapacity: 2 });
      expect((await scene.certificate(third.id)).proof).toBeDefined();
      await scene.operate('PATCH', `/merchants/${small.merchantId}`, { paused: true });
      expect((await scene.certificate(third.id)).proof).toBeUndefined();
    },
  );
});
