import { verifyProductCertificate } from '@touchstone/certificate';
import { describe, expect } from 'vitest';
import { covers, scenario } from '../kit/scenario.ts';
import { claimsOf, codes, type Json, type SceneStore, useScene } from '../kit/service.ts';

const DAY = 86_400;

const scene = await useScene({ TOUCHSTONE_REQUIRE_VERIFIED_DOMAIN: 'true' });

const challengeAt = (host: string) => `http://${host}/.well-known/touchstone-challenge`;
const hide = (host: string) =>
  scene.shop.put(challengeAt(host), (_, response) => {
    response.writeHead(404).end();
  });
const show = (host: string, challenge: unknown) =>
  scene.shop.put(challengeAt(host), (_, response) => {
    response.writeHead(200, { 'content-type': 'text/plain' }).end(challenge);
  });
const verify = ({ id }: SceneStore, host: string) =>
  scene.operate('POST', `/stores/${id}/domains/${host}/verify`);
const domainOf = async ({ id }: SceneStore) =>
  ((await scene.operate('GET', `/stores/${id}`)) as { domains: Json[] }).domains[0] as Json;
const lookup = async (url: string) =>
  (await scene.call('GET', `/api/v1/mc4p/certificates?url=${encodeURIComponent(url)}`)).headers.get(
    'content-location',
  );

describe('control of a host', () => {
  scenario(
    'that can no longer be shown counts for 14 days, and then nowhere: checks, images, lookup',
    covers('CONTROL-ENDS', 'KNOWN-DOMAIN', 'CHECK-VERIFIED', 'LOOKUP'),
    async () => {
      const host = 'shop.example';
      const store = await scene.store(host);
      const product = await store.product('kettle');
      const [image] = await scene.imagesOf(product.id);
      const verifyImage = async () =>
        (await scene.call('POST', `/api/v1/mc4p/${image}/verify`, { domain: host })).status;
      const verified = async () => {
        const document = await scene.certificate(product.id);
        const { status, checks, warnings } = await scene.verify(product.id, {
          productUrl: product.url,
          document,
        });
        return [status, (checks as Json).domainVerified, codes(warnings), await verifyImage()];
      };
      expect(await verified()).toEqual(['verified', true, [], 200]);
      hide(host);
      const missed = await verify(store, host);
      expect(missed).toMatchObject({ verified: false, provenUntil: expect.any(String) });
      expect(await verified()).toEqual(['verified', true, [], 200]);
      scene.travel(14 * DAY - 3_600);
      expect(await verify(store, host)).toMatchObject({ provenUntil: missed.provenUntil });
      expect(await lookup(product.url)).toContain(product.id);
      scene.travel(2 * 3_600);
      expect(await verify(store, host)).not.toHaveProperty('provenUntil');
      expect(await verified()).toEqual(['verified', false, ['domain_unverified'], 412]);
      expect(await lookup(product.url)).toBeNull();
      const { checks } = await scene.operate('GET', `/stores/${store.id}/domains/${host}/checks`);
      // the service looks for it by itself, too
      expect(new Set((checks as Json[]).map(({ outcome }) => outcome))).toEqual(new Set(['missed']));
      show(host, missed.lookedFor);
      expect(await verify(store, host)).toMatchObject({ verified: true });
      expect(await verified()).toEqual(['verified', true, [], 200]);
    },
  );

  scenario(
    'that was sold goes to the merchant that shows it, an hour after the other no longer does',
    covers('CONTROL-MOVES', 'HOST-LOST', 'LOOKUP'),
    async () => {
      const host = 'other.example';
      const seller = await scene.store(host);
      const sold = await seller.product('cup');
      const document = await scene.certificate(sold.id);
      const buyer = await scene.store(host, { proven: false });
      const { challenge } = await domainOf(buyer);
      const refused = await scene.call(
        'POST',
        `/api/v1/registry/stores/${buyer.id}/domains/${host}/verify`,
        undefined,
        { authorization: `Bearer ${scene.service.operatorKey}` },
      );
      expect([refused.status, refused.json.code]).toEqual([409, 'hostname_taken']);
      expect(refused.json.detail).toContain(challenge);
      show(host, challenge);
      const pending = await verify(buyer, host);
      expect(pending).toMatchObject({ verified: false, saw: [{ found: true }] });
      const wait = Date.parse(String(pending.decidedAt)) - Date.now();
      expect([wait > 3_500_000, wait <= 15 * DAY * 1_000]).toEqual([true, true]);
      expect(await lookup(sold.url)).toContain(sold.id);
      scene.travel(3_601);
      expect(await verify(buyer, host)).toMatchObject({ verified: true });
      const bought = await buyer.product('cup');
      expect(await lookup(sold.url)).toContain(bought.id);
      const result = await scene.verify(sold.id, { productUrl: sold.url, document });
      expect([result.status, codes(result.errors)]).toEqual(['failed', ['host_lost']]);
      expect(await domainOf(seller)).toMatchObject({ verified: false, lostAt: expect.any(String) });
    },
  );

  scenario(
    'is not lost to a tag that somebody put into a page for a moment',
    covers('CONTROL-MOVES'),
    async () => {
      const host = 'lost.example';
      const owner = await scene.store(host);
      const rival = await scene.store(host, { proven: false });
      const { challenge } = await domainOf(rival);
      scene.shop.put(
        `http://${host}/`,
        `<head><meta name="touchstone-challenge" content="${challenge}"></head>`,
      );
      await expect(verify(rival, host)).rejects.toThrow('hostname_taken');
      // even where the owner has removed its challenge, but puts it back when told
      const own = (await domainOf(owner)).challenge;
      hide(host);
      expect(await verify(rival, host)).toHaveProperty('decidedAt');
      expect(await domainOf(owner)).toMatchObject({ verified: true, decidedAt: expect.any(String) });
      show(host, own);
      scene.travel(3_601);
      await expect(verify(rival, host)).rejects.toThrow('hostname_taken');
      expect(await domainOf(owner)).toMatchObject({ verified: true });
    },
  );

  scenario(
    'is stated by each new proof of a product and its images, when it began and after it ended',
    covers('PROOF-CONTROL', 'CONTROL-ENDS'),
    async () => {
      const host = 'unproven.example';
      const store = await scene.store(host, { proven: false });
      const product = await store.product('cup');
      const [image = ''] = await scene.imagesOf(product.id);
      /** What each proof states, and what is told of the product's by whoever verifies it. */
      const stated = async () => {
        const document = await scene.certificate(product.id);
        const asset = (await scene.call('GET', `/api/v1/mc4p/assets/${image}/certificate`)).json;
        const full = (await scene.call('GET', `/api/v1/mc4p/${image}/certificate?full=true`)).json;
        const claims = [document, asset, full].map((one) => claimsOf(one).control);
        for (const other of claims) expect(other).toEqual(claims[0]);
        scene.shop.put(
          product.url,
          `<script type="application/ld+json">${JSON.stringify(document)}</script>`,
        );
        const { mc4p } = await scene.checkPage(product.url, 'fresh');
        const jwks = (await scene.call('GET', '/api/v1/.well-known/jwks.json')).json;
        const now = new Date(Number(claimsOf(document).iat) * 1000);
        const context = { pageUrl: product.url, trustedIssuers: [scene.baseUrl], jwks, now };
        const told = [
          await scene.verify(product.id, { productUrl: product.url, document }),
          mc4p,
          await verifyProductCertificate(document, context),
        ].map((result) => ((result as Json).signed as Json).control);
        for (const other of told) expect(other).toEqual(told[0]);
        return { claim: claims[0], told: told[0] };
      };
      const none = { claim: { method: 'none' }, told: { method: 'none' } };
      expect(await stated()).toEqual(none);
      show(host, (await domainOf(store)).challenge);
      await verify(store, host);
      const { confirmedAt } = await domainOf(store);
      const checkedAt = Math.floor(Date.parse(String(confirmedAt)) / 1000);
      const proven = {
        claim: { method: 'well_known', checkedAt },
        told: { method: 'well_known', checkedAt: new Date(checkedAt * 1000).toISOString() },
      };
      expect(await stated()).toEqual(proven);
      scene.travel(DAY);
      await verify(store, host);
      expect((await domainOf(store)).confirmedAt).not.toBe(confirmedAt);
      expect(await stated()).toEqual(proven);
      hide(host);
      await verify(store, host);
      scene.travel(15 * DAY);
      await verify(store, host);
      expect(await stated()).toEqual(none);
    },
  );
});
