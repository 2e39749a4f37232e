import { AssetCertificateSchema } from '@touchstone/certificate/schema';
import { describe, expect } from 'vitest';
import { changeImage } from '../../packages/server/src/core/certificates/testing.ts';
import { covers, scenario } from '../kit/scenario.ts';
import { BASE_URL, claimsOf, type Json, useScene } from '../kit/service.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const DETAILS = {
  sku: 'K7',
  gtin: '4006381333931',
  brand: 'Emaille & Co',
  attributes: [
    { name: 'Colour', value: 'blue' },
    { name: 'Name', value: 'never shown' },
  ],
};

const scene = await useScene();
const kettle = await (await scene.store('shop.example')).product('looked-at', DETAILS);
const ids = await scene.service.database.query<{ id: string }>(
  'select id from images where product_id = $1 order by position',
  [kettle.id],
);
// stores the results of the image pipeline
await changeImage(scene.service.database, ids[0]?.id ?? '', {
  media_type: 'image/jpeg',
  width: 800,
  height: 600,
  upload_date: new Date('2026-02-03T04:05:06Z'),
  external_id: 'media-1',
  credentials: '{"hasC2PA":true,"hasManifest":true}',
});
const { json: certificate, text } = await scene.call('GET', `/api/v1/mc4p/products/${kettle.id}/certificate`);
const assets = await Promise.all(
  ids.map(async ({ id }) => (await scene.call('GET', `/api/v1/mc4p/assets/${id}/certificate`)).json),
);

function assetIdOf(asset: Json | undefined): string {
  return String((asset?.['svc:issuedFor'] as Json | undefined)?.assetId);
}

const source = () => `${BASE_URL}/api/v1/mc4p/products/${kettle.id}/certificate`;
const entryPoint = (url: string) => ({
  '@type': 'EntryPoint',
  description: 'Canonical source for this certificate.',
  url,
  httpMethod: 'GET',
});

describe('a product certificate', () => {
  scenario('starts with its context and type', covers('PC-CONTEXT', 'PC-TYPE', 'VERSION-CONTEXT'), () => {
    expect(certificate['@context']).toEqual(['https://schema.org', { svc: `${BASE_URL}/ns#` }]);
    expect(certificate['@type']).toBe('Product');
  });

  scenario(
    'names the product by the UUID of the service, its page and its domain',
    covers('PC-PRODUCTID', 'PC-PRODUCTID-WHOSE', 'PC-URL', 'PC-ISSUEDFOR', 'ID-UUID'),
    () => {
      expect(certificate.productID).toBe(kettle.id);
      expect(kettle.id).toMatch(UUID);
      expect(certificate.url).toBe('http://shop.example/products/looked-at');
      expect(certificate['svc:issuedFor']).toEqual({ domain: 'shop.example', productID: kettle.id });
    },
  );

  scenario('names its own URL', covers('PC-STATUS', 'PC-ENTRYPOINT'), () => {
    expect(certificate['svc:status']).toEqual({ canonicalSource: entryPoint(source()) });
  });

  scenario('has a record', covers('PC-RECORD', 'PC-R3-RECORD'), () => {
    expect(certificate['svc:record']).toEqual({
      recordUrl: source(),
      recordUrlMethod: 'GET',
      recordId: kettle.id,
      issuedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    });
  });

  scenario(
    'lists its images in the order of the shop, each with its certification',
    covers('PC-IMAGES', 'PC-R3-IMAGES'),
    () => {
      const images = certificate['svc:images'] as Json[];
      expect(images).toEqual([
        {
          '@type': 'ImageObject',
          contentUrl: 'http://shop.example/images/looked-at-front.jpg',
          encodingFormat: 'image/jpeg',
          width: 800,
          height: 600,
          certification: {
            '@type': 'ImageObject',
            url: expect.stringMatching(
              /^https:\/\/certificates\.example\/api\/v1\/mc4p\/assets\/[0-9a-f-]{36}\/certificate$/,
            ),
            'svc:assetId': expect.stringMatching(UUID),
            'svc:contentCredentials': { hasC2PA: true, hasManifest: true },
          },
        },
        {
          '@type': 'ImageObject',
          contentUrl: 'http://shop.example/images/looked-at-back.jpg',
          certification: {
            '@type': 'ImageObject',
            url: expect.stringContaining('/api/v1/mc4p/assets/'),
            'svc:assetId': expect.stringMatching(UUID),
          },
        },
      ]);
    },
  );

  scenario(
    'lists identifiers and attributes as properties',
    covers('PC-ADDITIONAL', 'PC-R3-ADDITIONAL'),
    () => {
      const property = (name: string, value: string) => ({ '@type': 'PropertyValue', name, value });
      expect(certificate.additionalProperty).toEqual([
        property('externalProductId', 'looked-at'),
        property('sku', 'K7'),
        property('gtin', '4006381333931'),
        property('brand', 'Emaille & Co'),
        property('Colour', 'blue'),
      ]);
    },
  );

  scenario(
    'states coverage by counts and a ratio only',
    covers('PC-TRUST', 'PC-R1-PERCENT', 'BOUND-NO-SCORE'),
    () => {
      expect(certificate['svc:trust']).toEqual({ certifiedAssets: 1, totalAssets: 2, coveragePercent: 50 });
      expect(text).not.toMatch(/score|rating|rank|grade/i);
    },
  );

  scenario(
    'states coverage to two decimals, and 0 without images',
    covers('PC-PERCENT-PRECISION', 'PC-R1-PERCENT'),
    async () => {
      const store = await scene.store('decimals.example', { proven: false });
      const three = ['a', 'b', 'c'].map((name) => ({ url: `http://decimals.example/${name}.jpg` }));
      const third = await store.product('third', { images: three });
      const [first = ''] = await scene.imagesOf(third.id);
      const credentials = '{"hasC2PA":true,"hasManifest":true}';
      await changeImage(scene.service.database, first, { credentials });
      const bare = await store.product('bare', { images: [] });
      const trustOf = async (id: string) => (await scene.certificate(id))['svc:trust'];
      expect(await trustOf(third.id)).toEqual({ certifiedAssets: 1, totalAssets: 3, coveragePercent: 33.33 });
      expect(await trustOf(bare.id)).toEqual({ certifiedAssets: 0, totalAssets: 0, coveragePercent: 0 });
    },
  );

  scenario('says how to verify it', covers('PC-VERIFICATION', 'PC-WEBAPI', 'PC-TOOL'), () => {
    expect(certificate.verification).toEqual({
      canonicalSource: entryPoint(source()),
      verifyEndpoint: {
        '@type': 'WebAPI',
        name: expect.stringMatching(/./),
        description: expect.stringMatching(/./),
        httpMethod: 'POST',
        url: `${BASE_URL}/api/v1/mc4p/products/${kettle.id}/verify`,
      },
      hasSignature: true,
      mcp: { tool: 'verify_svc_certificate' },
    });
  });

  scenario('contains its proof', covers('PC-PROOF'), () => {
    expect(certificate.proof).toEqual({
      type: 'JsonWebSignature2020',
      jwt: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      algorithm: 'RS256',
    });
  });

  scenario(
    'contains no name, no description, and no claim of authenticity',
    covers('BOUND-NO-NAME', 'BOUND-NO-AUTHENTICITY'),
    () => {
      expect(certificate).not.toHaveProperty('name');
      expect(certificate).not.toHaveProperty('description');
      const properties = certificate.additionalProperty as { name: string }[];
      expect(properties.map(({ name }) => name.toLowerCase())).not.toContain('name');
      expect(text).not.toContain('The looked-at');
      expect(text).not.toMatch(/authentic|genuine|authori[sz]ed|original/i);
    },
  );
});

describe('an asset certificate', () => {
  scenario(
    'is an ImageObject of the same context, with every known field of the image',
    covers('AC-CONTEXT', 'AC-TYPE', 'AC-ENCODING', 'AC-SIZE', 'AC-UPLOADDATE', 'WIRE-JSON'),
    () => {
      const [known, unknown] = assets;
      expect(AssetCertificateSchema.parse(known)).toEqual(known);
      expect(known).toMatchObject({
        '@context': certificate['@context'],
        '@type': 'ImageObject',
        encodingFormat: 'image/jpeg',
        width: 800,
        height: 600,
        uploadDate: '2026-02-03T04:05:06.000Z',
      });
      for (const key of ['encodingFormat', 'width', 'height', 'uploadDate'])
        expect(unknown).not.toHaveProperty(key);
      expect(JSON.stringify(unknown)).not.toContain('null');
    },
  );

  scenario(
    'has the same contentUrl and id as its entry in the product certificate',
    covers('AC-CONTENTURL', 'AC-ID'),
    () => {
      const entries = certificate['svc:images'] as { contentUrl: string; certification: Json }[];
      for (const [index, asset] of assets.entries()) {
        expect(asset.contentUrl).toBe(entries[index]?.contentUrl);
        const assetId = assetIdOf(asset);
        expect(assetId).toBe(entries[index]?.certification['svc:assetId']);
      }
    },
  );

  scenario('keeps its id when the image is removed and added again', covers('AC-ID', 'ID-UUID'), async () => {
    const store = await scene.store('ids.example', { proven: false });
    const images = [{ url: 'http://ids.example/a.jpg' }, { url: 'http://ids.example/b.jpg' }];
    const { id } = await store.product('ids', { images });
    const idsNow = async () =>
      ((await scene.certificate(id))['svc:images'] as { contentUrl: string; certification: Json }[]).map(
        ({ contentUrl, certification }) => `${contentUrl} ${certification['svc:assetId']}`,
      );
    const before = await idsNow();
    await store.product('ids', { images: images.slice(0, 1) });
    await store.product('ids', { images: images.toReversed() });
    expect(await idsNow()).toEqual(before.toReversed());
  });

  scenario('names its merchant’s domain and its own URL', covers('AC-ISSUEDFOR', 'AC-STATUS'), () => {
    const assetId = assetIdOf(assets[0]);
    expect(assets[0]?.['svc:issuedFor']).toEqual({
      domain: 'shop.example',
      assetId: expect.stringMatching(UUID),
      mediaID: 'media-1',
      productID: kettle.id,
      url: kettle.url,
    });
    const url = `${BASE_URL}/api/v1/mc4p/assets/${assetId}/certificate`;
    expect(assets[0]?.['svc:status']).toEqual({ canonicalSource: entryPoint(url) });
    expect(assets[0]?.verification).toMatchObject({ canonicalUrl: url, canonicalSource: entryPoint(url) });
  });

  scenario('states what it proves', covers('AC-VERIFICATION'), () => {
    expect(assets[0]?.verification).toMatchObject({
      hasSignature: true,
      hasBlockchain: false,
      summary: 'The image carries a C2PA manifest whose integrity validates.',
    });
  });

  scenario(
    'contains a proof of its own kind, with all five members',
    covers('AC-PROOF', 'AC-PROOF-VALUES', 'PROOF-KINDS'),
    () => {
      const proof = assets[0]?.proof as Json;
      const header = JSON.parse(
        Buffer.from(String(proof.jwt).split('.')[0] ?? '', 'base64url').toString(),
      ) as Json;
      expect(header.typ).toBe('asset-certificate+jwt');
      expect(proof).toEqual({
        type: 'JsonWebSignature2020',
        jwt: expect.any(String),
        verificationMethod: `${BASE_URL}/api/v1/.well-known/jwks.json#${header.kid}`,
        proofPurpose: 'assertionMethod',
        algorithm: 'RS256',
      });
    },
  );

  scenario(
    'of a hidden product contains only the identity of the image',
    covers('AC-IDENTITY', 'AC-PROOF-VALUES'),
    async () => {
      const [first] = assets;
      const assetId = assetIdOf(first);
      await scene.operate('PATCH', `/products/${kettle.id}`, { visible: false });
      const { json } = await scene.call('GET', `/api/v1/mc4p/assets/${assetId}/certificate`);
      await scene.operate('PATCH', `/products/${kettle.id}`, { visible: true });
      expect(Object.keys(json)).toEqual([
        '@context',
        '@type',
        'contentUrl',
        'encodingFormat',
        'height',
        'width',
        'svc:issuedFor',
        'svc:status',
      ]);
    },
  );
});

describe('the signed URL', () => {
  scenario(
    'is normalised as in browsers, however the merchant spells it',
    covers('PC-URL', 'AUTH-4-URL'),
    async () => {
      const store = await scene.store('other.example');
      const given = 'HTTP://OTHER.example:80/products/./Café?size=m';
      const { id } = await store.product('spelled', { url: given });
      const document = await scene.certificate(id);
      const signed = 'http://other.example/products/Caf%C3%A9?size=m';
      expect([claimsOf(document).url, document.url]).toEqual([signed, signed]);
      expect(await scene.operate('GET', `/products/${id}`)).toMatchObject({ url: given });
      const { status } = await scene.verify(id, { productUrl: signed, document });
      expect(status).toBe('verified');
    },
  );
});
