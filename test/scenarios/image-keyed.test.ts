import { createHash } from 'node:crypto';
import { type ImageSnapshot, NO_TRUST_LIST, type SignerTrust } from '@touchstone/certificate';
import { assetCertificate } from '@touchstone/certificate/issue';
import {
  AssetCertificateSchema,
  FullImageCertificateSchema,
  ImageVerificationResultSchema,
  MinimalImageCertificateSchema,
} from '@touchstone/certificate/schema';
import { TEST_PRODUCT } from '@touchstone/certificate/testing';
import { createKeySet, verifyProfiles } from '@touchstone/certificate/verify';
import { type ImageBinding, VERIFY_FIELDS, verifyImage } from '@touchstone/certificate/verify-image';
import { describe, expect } from 'vitest';
import { changeImage } from '../../packages/server/src/core/certificates/testing.ts';
import { covers, scenario } from '../kit/scenario.ts';
import { BASE_URL, codes, type Json, openScene, useScene } from '../kit/service.ts';

const BYTES = new TextEncoder().encode('the bytes of the image');
const HASHES = { uhash: createHash('sha256').update(BYTES).digest('hex'), phash: '0f1e2d3c4b5a6978' };
const CREDENTIALS = { hasC2PA: true, hasManifest: true, hashes: HASHES };

const scene = await useScene();
const store = await scene.store('shop.example');
const merchantId = store.merchantId;
const kettle = await store.product('kettle', { sku: 'K7', gtin: '4006381333931' });
const [imageId = '', unseenId = ''] = await scene.imagesOf(kettle.id);
await lookAt(imageId, CREDENTIALS);

/** Stores the results of the image pipeline. */
async function lookAt(id: string, credentials: object, nft: object | null = null): Promise<void> {
  await changeImage(scene.service.database, id, {
    credentials: JSON.stringify(credentials),
    nft: nft === null ? null : JSON.stringify(nft),
  });
}

const certificate = (query = '', id = imageId) => scene.call('GET', `/api/v1/mc4p/${id}/certificate${query}`);
const asset = (id = imageId) => scene.call('GET', `/api/v1/mc4p/assets/${id}/certificate`);
const verify = (body: unknown, id = imageId) => scene.call('POST', `/api/v1/mc4p/${id}/verify`, body);

describe('an image-keyed certificate', () => {
  scenario(
    'minimal: the members of the contract, without those for an audit',
    covers('CAP-IMAGE', 'IMG-MINIMAL', 'IMG-MINIMAL-OMITS', 'EP6-MINIMAL'),
    async () => {
      const { status, json } = await certificate();
      expect(status).toBe(200);
      expect(MinimalImageCertificateSchema.parse(json)).toEqual(json);
      expect(json).toEqual({
        '@context': 'https://schema.org',
        '@type': 'DigitalDocument',
        imageId,
        verification: { authorizedDomains: ['shop.example'], domainVerified: true, hasSignature: true },
      });
    },
  );

  scenario(
    'full: with the proof, the credentials and what to check them with',
    covers('CAP-IMAGE', 'IMG-FULL', 'IMG-OTHER', 'EP6-FULL'),
    async () => {
      const { status, json } = await certificate('?full=true');
      expect(status).toBe(200);
      expect(FullImageCertificateSchema.parse(json)).toEqual(json);
      expect(json).toMatchObject({
        '@context': ['https://schema.org', { svc: `${BASE_URL}/ns#` }],
        '@type': 'MediaObject',
        contentCredentials: { ...CREDENTIALS, asset: { url: 'http://shop.example/images/kettle-front.jpg' } },
        cryptographicProof: { algorithm: 'RS256', uhash: { algorithm: 'SHA-256', value: HASHES.uhash } },
        proof: { type: 'JwtProof2020' },
      });
      expect(JSON.stringify(json)).not.toContain('null');
    },
  );

  scenario(
    'full: enough to verify offline by every profile, with the bytes only',
    covers('AUTH-5-FULL', 'AUTH-6', 'PROOF-KINDS'),
    async () => {
      const { json: document } = await certificate('?full=true');
      const { json: jwks } = await scene.call('GET', '/api/v1/.well-known/jwks.json');
      const profilesOf = async (image: Uint8Array<ArrayBuffer>) => {
        const { profiles } = await verifyProfiles({
          document,
          kind: 'image',
          keySet: createKeySet(jwks),
          issuers: [BASE_URL],
          now: new Date(),
          context: { domain: 'shop.example', pageUrl: kettle.url, productId: kettle.id },
          image,
          readManifest: () => ({
            hasManifest: true,
            valid: true,
            failures: [],
            trust: { status: 'trusted', list: 'test' },
          }),
        });
        return profiles;
      };
      expect(await profilesOf(BYTES)).toEqual({ minimal: 'trusted', standard: 'trusted', full: 'trusted' });
      const altered = BYTES.with(0, 0);
      expect(await profilesOf(altered)).toEqual({
        minimal: 'trusted',
        standard: 'trusted',
        full: 'untrusted',
      });
    },
  );
});

describe('verification of an image', () => {
  /** The same request to the core, as data. */
  function inCore(body: { domain: string; verifyField?: string; fieldValue?: string }) {
    const binding: ImageBinding = {
      imageId,
      productId: kettle.id,
      externalProductId: 'kettle',
      productUrl: kettle.url,
      storeUrl: 'http://shop.example/',
      imageUrl: 'http://shop.example/images/kettle-front.jpg',
      platform: 'custom',
      sku: 'K7',
      gtin: '4006381333931',
    };
    const { domain, verifyField, fieldValue = '' } = body;
    return verifyImage({
      binding,
      authorizedDomains: [{ hostname: 'shop.example', verified: true }],
      domain,
      certificateConsistency: true,
      ...(verifyField === undefined ? {} : { field: { name: verifyField, value: fieldValue } }),
    });
  }

  const STATUS: Readonly<Record<string, number>> = {
    verified: 200,
    domain_not_authorized: 403,
    field_differs: 403,
    field_unsupported: 422,
  };

  /** Sends the request to both, which must agree; returns the service's response. */
  async function ask(body: { domain: string; verifyField?: string; fieldValue?: string }) {
    const core = inCore(body);
    const { status, json } = await verify(body);
    expect(status).toBe(STATUS[core.kind]);
    const result = (status === 200 ? json : json.result) as Json | undefined;
    const { signed, ...told } = result ?? {};
    if (result !== undefined) expect(signed).toMatchObject({ kind: 'image', imageId, url: kettle.url });
    expect(result && told).toEqual('result' in core ? core.result : undefined);
    if (status !== 200) expect(json.code).toBe(core.kind);
    if (result !== undefined) expect(ImageVerificationResultSchema.parse(result)).toEqual(result);
    return { status, json, result };
  }

  scenario(
    'by domain alone: authorisation and consistency',
    covers('EP6-VERIFY', 'EP6-MODE-1', 'IVR-SHAPE'),
    async () => {
      const { result } = await ask({ domain: 'shop.example' });
      expect(result).toEqual({
        verified: true,
        imageId,
        authorizedDomain: 'shop.example',
        currentDomain: 'shop.example',
        signed: expect.objectContaining({ domain: 'shop.example', productId: kettle.id }),
        checks: { domainMatches: true, certificateConsistency: true },
        warnings: [],
        errors: [],
        verifier: expect.any(String),
      });
    },
  );

  scenario(
    'by domain if a field is null, which is the same as omitting it',
    covers('EP6-MODE-1'),
    async () => {
      for (const nulls of [
        { verifyField: null },
        { verifyField: null, fieldValue: null },
        { fieldValue: null },
      ])
        expect((await verify({ domain: 'shop.example', ...nulls })).status).toBe(200);
      const unnamed = await verify({ domain: 'shop.example', verifyField: null, fieldValue: 'x' });
      expect(unnamed.status).toBe(400);
      const page = { url: 'http://shop.example/products/kettle', freshness: null, images: null };
      expect((await scene.call('POST', '/api/v1/mc4p/page-checks', page)).status).toBe(200);
      const wrong = await scene.call('POST', '/api/v1/mc4p/page-checks', { ...page, freshness: 'newest' });
      expect([wrong.status, wrong.json.detail]).toMatchObject([
        422,
        [{ loc: ['body', 'freshness'], type: 'enum' }],
      ]);
    },
  );

  scenario(
    'by domain: only where the certificate of a product is bound to the host',
    covers('EP6-MODE-1', 'EQ-HOST', 'IMG-DOMAINS'),
    async () => {
      const document = await scene.certificate(kettle.id);
      const agree = async (host: string) => {
        const productUrl = kettle.url.replace('shop.example', host);
        const { checks } = await scene.verify(kettle.id, { productUrl, document });
        const { status, json } = await verify({ domain: host });
        const { domainMatches } = ((status === 200 ? json : json.result) as { checks: Json }).checks;
        expect([host, domainMatches]).toEqual([host, (checks as Json).boundToDomain]);
        return domainMatches;
      };
      await scene.operate('POST', `/stores/${store.id}/domains`, { hostname: 'unproven.example' });
      for (const host of ['unproven.example', 'copy.example', 'www.shop.example']) {
        expect(await agree(host)).toBe(false);
      }
      expect(await agree('SHOP.example')).toBe(true);
      const full = (await scene.call('GET', `/api/v1/mc4p/${imageId}/certificate?full=true`)).json;
      expect(full.verification).toMatchObject({ authorizedDomains: ['shop.example'] });
      await scene.operate('DELETE', `/stores/${store.id}/domains/unproven.example`);
    },
  );

  scenario('by product', covers('EP6-MODE-2', 'CAP-VERIFY-FIELD'), async () => {
    const field = { domain: 'shop.example', verifyField: 'productId' };
    expect((await ask({ ...field, fieldValue: kettle.id })).status).toBe(200);
    expect((await ask({ ...field, fieldValue: imageId })).status).toBe(403);
  });

  scenario(
    'by each other bound field, and by no other',
    covers('EP6-MODE-3', 'EP6-MODE-4', 'EP6-MODE-5', 'IVR-FIELD', 'CAP-VERIFY-FIELD'),
    async () => {
      const own: Readonly<Record<string, string>> = {
        productId: kettle.id,
        externalProductId: 'kettle',
        productUrl: kettle.url,
        storeUrl: 'http://shop.example',
        sku: 'K7',
        gtin: '4006381333931',
        imageUrl: 'http://shop.example/images/kettle-front.jpg',
      };
      for (const verifyField of VERIFY_FIELDS) {
        const field = { domain: 'shop.example', verifyField };
        // the shop is on neither platform, so their identifiers are not bound
        const fieldValue = own[verifyField] ?? 'kettle';
        expect((await ask({ ...field, fieldValue })).status).toBe(verifyField in own ? 200 : 403);
        expect((await ask({ ...field, fieldValue: 'x' })).status).toBe(403);
      }
      for (const verifyField of ['price', 'name', 'uhash', '__proto__'])
        expect((await ask({ domain: 'shop.example', verifyField, fieldValue: 'x' })).status).toBe(422);
    },
  );

  scenario(
    'reports a mismatch as 403 with the complete result, and 422 for a malformed request',
    covers('ERR-IMG-403', 'ERR-IMG-MISMATCH'),
    async () => {
      const foreign = await ask({ domain: 'evil.example' });
      expect(codes(foreign.result?.errors)).toEqual(['domain_not_authorized']);
      const unbound = await ask({ domain: 'shop.example', verifyField: 'sku', fieldValue: 'K8' });
      expect(codes(unbound.result?.errors)).toEqual(['field_differs']);
      expect((await verify({ domain: 'shop.example', verifyField: 'sku' })).status).toBe(422);
    },
  );

  scenario(
    'does not depend on C2PA: the result is the same whatever the bytes contain',
    covers('BOUND-C2PA'),
    async () => {
      const consistent = async (id: string) =>
        ((await verify({ domain: 'shop.example' }, id)).json.checks as Json).certificateConsistency;
      expect(await consistent(unseenId)).toBe(true);
      await lookAt(unseenId, { hasC2PA: false, hasManifest: true, hashes: HASHES });
      await expect
        .poll(async () => ((await asset(unseenId)).json['svc:contentCredentials'] as Json).hasC2PA)
        .toBe(false);
      expect(await consistent(unseenId)).toBe(true);
    },
  );
});

describe('the statuses of the image-keyed endpoints', () => {
  scenario('400: an invalid or incomplete payload', covers('ERR-IMG-400'), async () => {
    for (const body of [
      {},
      { domain: 'http://shop.example' },
      '{',
      { domain: 'a.example', fieldValue: 'x' },
    ]) {
      const { status, json } = await verify(body);
      expect([status, json.code]).toEqual([400, 'bad_request']);
    }
  });

  scenario(
    '402: paused, minimal, full and verify alike, at once',
    covers('ERR-IMG-402', 'EP6-MINIMAL'),
    async () => {
      await scene.operate('PATCH', `/merchants/${merchantId}`, { paused: true });
      const paused = [
        await certificate(),
        await certificate('?full=true'),
        await verify({ domain: 'shop.example' }),
      ];
      await scene.operate('PATCH', `/merchants/${merchantId}`, { paused: false });
      expect(paused.map(({ status, json }) => [status, json.code])).toEqual(
        paused.map(() => [402, 'certificate_paused']),
      );
      expect((await certificate()).status).toBe(200);
    },
  );

  scenario('404: no certificate', covers('ERR-IMG-404', 'EP6-MINIMAL', 'EP6-FULL'), async () => {
    for (const id of [kettle.id, '00000000-0000-4000-8000-000000000000']) {
      const answers = [
        await certificate('', id),
        await certificate('?full=true', id),
        await verify({ domain: 'a.example' }, id),
      ];
      expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
    }
  });

  scenario('412: if control of the domain must be proven', covers('ERR-IMG-412'), async () => {
    const strict = await openScene({ TOUCHSTONE_REQUIRE_VERIFIED_DOMAIN: 'true' });
    const statusAt = async (host: string, proven: boolean) => {
      const { id } = await (await strict.store(host, { proven })).product('kettle');
      const [image] = await strict.imagesOf(id);
      const path = `/api/v1/mc4p/${image}/verify`;
      return (await strict.call('POST', path, { domain: host })).status;
    };
    expect(await statusAt('unproven.example', false)).toBe(412);
    expect(await statusAt('shop.example', true)).toBe(200);
    await strict.close();
  });

  scenario(
    '422: an invalid proof, an unsupported field, a malformed id',
    covers('ERR-IMG-422', 'ERR-IMG-MISMATCH'),
    async () => {
      const field = { domain: 'shop.example', verifyField: 'price', fieldValue: '1' };
      expect((await verify(field)).json.code).toBe('field_unsupported');
      expect((await verify(field, 'no-uuid')).json.detail).toMatchObject([{ loc: ['path', 'image_id'] }]);
      const fresh = await (await scene.store('other.example', { proven: false })).product('pot');
      const [id = ''] = await scene.imagesOf(fresh.id);
      await certificate('', id);
      await scene.service.database.query(
        "update proofs set signature = reverse(signature) where kind = 'image' and subject_id = $1",
        [id],
      );
      const { status, json } = await verify({ domain: 'other.example' }, id);
      expect([status, json.code, codes((json.result as Json).errors)]).toEqual([
        422,
        'proof_invalid',
        ['proof_invalid'],
      ]);
    },
  );

  scenario('500: a fault of ours, without internal details', covers('ERR-IMG-500'), async () => {
    const broken = await openScene();
    await broken.service.database.query('alter table images rename column position to rank');
    const id = '00000000-0000-4000-8000-000000000000';
    const { status, json, text } = await broken.call('GET', `/api/v1/mc4p/${id}/certificate`);
    expect([status, json.code]).toEqual([500, 'internal']);
    expect(text).not.toContain('position');
    await broken.close();
  });
});

describe('an asset certificate, once the bytes have been scanned,', () => {
  scenario(
    'states the credentials, with hashes of both kinds or none',
    covers('AC-CREDENTIALS'),
    async () => {
      expect((await asset()).json['svc:contentCredentials']).toEqual(CREDENTIALS);
      const without = { hasC2PA: false, hasManifest: false };
      const { id } = await (await scene.store('copy.example', { proven: false })).product('pan');
      const [image = ''] = await scene.imagesOf(id);
      await lookAt(image, without);
      const { json } = await asset(image);
      expect(AssetCertificateSchema.parse(json)).toEqual(json);
      expect(json['svc:contentCredentials']).toEqual(without);
    },
  );

  scenario('names a token only if one is recorded for these bytes', covers('AC-NFT'), async () => {
    expect((await asset()).json).not.toHaveProperty('svc:nft');
    const token = {
      chain: 'local',
      chainId: 31_337,
      contract: `0x${'12'.repeat(20)}`,
      tokenId: '7',
      transactionHash: `0x${'ab'.repeat(32)}`,
      standard: 'ERC-721',
      owner: `0x${'34'.repeat(20)}`,
      seenOn: '2026-11-22',
    };
    const shown = async (uhash: string) => {
      await lookAt(imageId, CREDENTIALS, { ...token, uhash });
      return async () => (await asset()).json['svc:nft'] as Json | undefined;
    };
    const { tokenId, transactionHash } = token;
    await expect.poll(await shown(HASHES.uhash)).toMatchObject({
      '@type': 'PropertyValue',
      name: 'Blockchain Certification',
      minted: true,
      description: expect.stringContaining(token.contract),
      tokenId,
      transactionHash,
    });
    const { json } = await asset();
    expect(AssetCertificateSchema.parse(json)).toEqual(json);
    expect((json.verification as Json).hasBlockchain).toBe(true);
    await expect.poll(await shown('ff'.repeat(32))).toBeUndefined();
  });

  scenario(
    'states trust in the signer separately from integrity, with the list and its date',
    covers('AC-TRUSTANCHOR'),
    () => {
      const [first] = TEST_PRODUCT.images as readonly [ImageSnapshot];
      const anchor = (status: SignerTrust['status'], list = 'House list') => {
        const signerTrust = { status, list, listDate: '2026-02-01', signer: 'Kettle House' };
        const image = { ...first, about: { updatedAt: '2026-01-01T00:00:00.000Z', signerTrust } };
        const proof = { jwt: 'x', kid: 'k', issuedAt: '2026-03-01T00:00:00.000Z' };
        const addresses = { baseUrl: BASE_URL, namespaceUrl: `${BASE_URL}/ns#` };
        const document = assetCertificate(TEST_PRODUCT, image, proof, addresses);
        expect(AssetCertificateSchema.parse(document)).toEqual(document);
        return document.verification.trustAnchor;
      };
      for (const status of ['trusted', 'untrusted', 'none'] as const) {
        expect(anchor(status)).toEqual({
          type: 'C2PATrustList',
          status,
          description: expect.stringMatching(/"House list" of 2026-02-01\.$/),
          trustList: 'House list',
          trustListDate: '2026-02-01',
          signer: 'Kettle House',
          trustedDomains: ['shop.example'],
        });
      }
      // without a check, the result says so, and nothing against the signer
      expect(anchor('untrusted', NO_TRUST_LIST)).toEqual({
        type: 'C2PATrustList',
        status: 'unknown',
        signer: 'Kettle House',
        trustedDomains: ['shop.example'],
        description:
          'The manifest is signed (Kettle House). Whether its signer is trusted was not looked up: this service has no trust list configured.',
      });
      expect(anchor('none', NO_TRUST_LIST)).toMatchObject({
        status: 'none',
        description: 'No manifest that validates; nor has this service a trust list configured.',
      });
    },
  );
});
