import { verifyProof } from '@touchstone/certificate';
import { FullImageCertificateSchema } from '@touchstone/certificate/schema';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DOMAIN, type ImageScene, imageScene, PRODUCT } from '../verification/testing.ts';

let scene: ImageScene;
let path: string;

beforeAll(async () => {
  scene = await imageScene();
  path = `/${scene.imageId}/certificate`;
});
afterAll(() => scene.close());

const claimsOf = (jwt: string) => JSON.parse(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString());

describe('the minimal image-keyed certificate', () => {
  it('is the same with full=false, and HEAD returns its length without it', async () => {
    const url = `${scene.service.url}/api/v1/mc4p${path}`;
    const whole = await (await fetch(`${url}?full=false`)).text();
    const head = await fetch(url, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length')]).toEqual([200, String(whole.length)]);
  });
});

describe('the full image-keyed certificate', () => {
  it('can be verified offline, as a proof of its own kind and no other', async () => {
    const { json } = await scene.get(`${path}?full=true`);
    expect(FullImageCertificateSchema.parse(json)).toEqual(json);
    const jwks = await (await fetch(`${scene.service.url}/api/v1/.well-known/jwks.json`)).json();
    const options = { now: new Date(), issuers: [scene.service.baseUrl] };
    const results = async (kind: 'product' | 'asset' | 'image') => {
      const { signed: _, ...checks } = await verifyProof(json.proof.jwt, jwks, { ...options, kind });
      return Object.values(checks).map(({ result }) => result);
    };
    expect(await results('image')).toEqual([true, true, true]);
    expect(await results('asset')).toEqual([true, false, true]);
    expect(await results('product')).toEqual([true, false, true]);
    expect(claimsOf(json.proof.jwt)).toMatchObject({
      imageId: scene.imageId,
      contentUrl: PRODUCT.images[0]?.url,
      domain: DOMAIN,
      productId: scene.productId,
    });
  });

  it('states when it was issued, where the bytes are, and how to check it', async () => {
    const { json } = await scene.get(`${path}?full=true`);
    const { iat, exp } = claimsOf(json.proof.jwt);
    const [issuedAt, expiresAt] = [iat, exp].map((seconds) => new Date(seconds * 1000).toISOString());
    const { lastUpdated, ...credentials } = json.contentCredentials;
    expect(credentials).toEqual({ dateIssued: issuedAt, asset: { url: PRODUCT.images[0]?.url } });
    expect(Date.parse(lastUpdated)).toBeLessThan(Date.parse(credentials.dateIssued) + 1000);
    expect(json.cryptographicProof).toEqual({
      algorithm: 'RS256',
      kid: expect.any(String),
      jwksUrl: `${scene.service.baseUrl}/api/v1/.well-known/jwks.json`,
      issuer: scene.service.baseUrl,
      issuedAt,
      expiresAt,
    });
  });

  it('changes with the bytes: their hashes are in the credentials, the signed claims and the verification', async () => {
    const images = [{ url: `https://${DOMAIN}/scanned.png` }];
    const added = (await scene.operate('POST', `/products/${scene.productId}/images`, { images })) as {
      images: { id: string; url: string }[];
    };
    const id = added.images.find(({ url }) => url === images[0]?.url)?.id ?? '';
    const hashes = { uhash: 'ab'.repeat(32), phash: 'cd'.repeat(8) };
    const credentials = { hasC2PA: false, hasManifest: true, hashes };
    // what the image pipeline writes
    await scene.service.database.query(
      "update images set media_type = 'image/png', width = 3, height = 2, credentials = $2 where id = $1",
      [id, JSON.stringify(credentials)],
    );
    const { json } = await scene.get(`/${id}/certificate?full=true`);
    expect(json).toMatchObject({ encodingFormat: 'image/png', width: 3, height: 2 });
    expect(json.contentCredentials).toMatchObject(credentials);
    expect(claimsOf(json.proof.jwt)).toMatchObject(hashes);
    expect(json.cryptographicProof).toMatchObject({
      uhash: { algorithm: 'SHA-256', value: hashes.uhash },
      phash: { value: hashes.phash },
    });
  });

  it('has the same bytes after a restart and on another node: recorded, then signed once', async () => {
    const first = await (await fetch(`${scene.service.url}/api/v1/mc4p${path}?full=true`)).text();
    const { baseUrl } = scene.service;
    const again = await scene.service.restart({ TOUCHSTONE_BASE_URL: baseUrl });
    const second = await (await fetch(`${again.url}/api/v1/mc4p${path}?full=true`)).text();
    await again.close();
    expect(second).toBe(first);
  });
});
