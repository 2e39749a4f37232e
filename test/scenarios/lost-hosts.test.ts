import type { CallToolResult } from '@modelcontextprotocol/client';
import { describe, expect } from 'vitest';
import { covers, scenario } from '../kit/scenario.ts';
import { codes, type Json, type SceneProduct, type SceneStore, useScene } from '../kit/service.ts';
import { productPage } from '../kit/shop.ts';
import { useToolClients } from '../kit/tools.ts';

const HOST = 'lost.example';

let owner: SceneStore;
let owned: SceneProduct;
let owners: Json;

const scene = await useScene();
const squatter = await scene.store(HOST, { proven: false });
const squatted = await squatter.product('kettle');
const squatters = await scene.certificate(squatted.id);
const clients = await useToolClients(scene.service.url);

const submitted = () => ({ productUrl: squatted.url, document: squatters });

const textOf = ({ content: [part] }: CallToolResult) => (part?.type === 'text' ? part.text : '');

describe('a host that is claimed without proof', () => {
  scenario(
    'verifies with a warning; a lookup by URL finds none',
    covers('HOST-LOST', 'CHECK-VERIFIED'),
    async () => {
      scene.shop.put(squatted.url, productPage(squatters));
      const result = await scene.verify(squatted.id, submitted());
      expect([result.status, codes(result.warnings)]).toEqual(['verified', ['domain_unverified']]);
      expect(await scene.checkPage(squatted.url)).toMatchObject({ verdict: 'verified' });
      for (const { client } of clients) {
        for (const args of [{ productUrl: squatted.url }, { ...submitted(), productId: squatted.id }]) {
          const answer = await client.callTool({ name: 'verify_svc_certificate', arguments: args });
          expect(textOf(answer)).toMatch(
            /^Caution: Signed for lost\.example, but nobody has shown who runs it\.\n/,
          );
          expect(textOf(answer)).not.toContain('who published');
        }
      }
    },
  );
});

describe('once another merchant has proven it', () => {
  scenario(
    'nothing of the first claimant is verified there: over HTTP, in page checks, by tools, for images',
    covers('HOST-LOST', 'KNOWN-DOMAIN'),
    async () => {
      const [image] = await scene.imagesOf(squatted.id);
      const verifyImage = (domain: string) => scene.call('POST', `/api/v1/mc4p/${image}/verify`, { domain });
      expect((await verifyImage(HOST)).status).toBe(200);
      owner = await scene.store(HOST);
      owned = await owner.product('kettle');
      owners = await scene.certificate(owned.id);
      const result = await scene.verify(squatted.id, submitted());
      expect(result).toMatchObject({
        status: 'failed',
        checks: {
          boundToDomain: false,
          domainKnown: false,
          signatureValid: true,
          certificateIntegrity: true,
        },
        checkDetails: { boundToDomain: { reason: 'host_lost', actual: HOST } },
      });
      expect(codes(result.errors)).toEqual(['host_lost']);
      expect(codes(result.warnings)).toEqual(['product_not_publishing', 'domain_unknown']);
      const report = await scene.checkPage(squatted.url);
      expect([report.verdict, codes(report.errors)]).toEqual(['checks_failed', ['host_lost']]);
      expect((await verifyImage(HOST)).status).toBe(404);
      for (const { client } of clients) {
        const { structuredContent } = await client.callTool({
          name: 'verify_svc_certificate',
          arguments: { ...submitted(), productId: squatted.id },
        });
        expect(structuredContent).toMatchObject({ status: 'failed', checks: { boundToDomain: false } });
      }
    },
  );

  scenario(
    'the owner’s certificate decides on a page with both, in either order',
    covers('HOST-LOST', 'PV-CANDIDATES'),
    async () => {
      for (const nodes of [
        [squatters, owners],
        [owners, squatters],
      ]) {
        scene.shop.put(squatted.url, productPage(...nodes));
        const report = await scene.checkPage(squatted.url);
        expect(report).toMatchObject({ verdict: 'verified', mc4p: { product_id: owned.id } });
        expect(codes(report.findings)).toEqual(['several_certificates', 'certificate_set_aside']);
      }
      for (const { client } of clients) {
        const answer = await client.callTool({ name: 'check_product_page', arguments: { url: owned.url } });
        expect(textOf(answer)).toContain('It shows who published the page');
      }
    },
  );

  scenario(
    'a claimant who has left the host in the meantime gains nothing, not even from caches',
    covers('HOST-LOST'),
    async () => {
      const store = await scene.store('unproven.example', { proven: false });
      const product = await store.product('kettle');
      const document = await scene.certificate(product.id);
      const input = { productUrl: product.url, document };
      await scene.operate('POST', `/stores/${store.id}/domains`, { hostname: 'other.example' });
      await scene.operate('PATCH', `/stores/${store.id}`, { url: 'http://other.example/' });
      await scene.operate('PUT', `/stores/${store.id}/products`, [
        { externalProductId: 'kettle', name: 'Kettle', url: 'http://other.example/products/kettle' },
      ]);
      await scene.operate('DELETE', `/stores/${store.id}/domains/unproven.example`);
      expect((await scene.verify(product.id, input)).status).toBe('verified');
      await scene.store('unproven.example');
      const result = await scene.verify(product.id, input);
      expect([result.status, codes(result.errors)]).toEqual(['failed', ['host_lost']]);
      expect(codes(result.warnings)).not.toContain('product_not_publishing');
    },
  );

  scenario(
    'its next certificate verifies, once the owner has released the host',
    covers('HOST-LOST', 'WITHDRAWN-RETURNS'),
    async () => {
      await scene.operate('DELETE', `/stores/${owner.id}`);
      await scene.operate('POST', `/stores/${squatter.id}/domains`, { hostname: HOST });
      const former = await scene.verify(squatted.id, submitted());
      expect([former.status, codes(former.errors)]).toEqual(['failed', ['certificate_withdrawn']]);
      const document = await scene.certificate(squatted.id);
      const result = await scene.verify(squatted.id, { ...submitted(), document });
      expect([result.status, codes(result.warnings)]).toEqual(['verified', ['domain_unverified']]);
    },
  );
});
