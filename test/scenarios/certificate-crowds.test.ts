import { verifyFromHtml } from '@touchstone/page';
import { expect } from 'vitest';
import { covers, scenario } from '../kit/scenario.ts';
import { BASE_URL, codes, type Json, useScene } from '../kit/service.ts';
import { productPage } from '../kit/shop.ts';
import { useToolClients } from '../kit/tools.ts';

const scene = await useScene();
const kettle = await (await scene.store('crowd.example')).product('kettle');
const genuine = await scene.certificate(kettle.id);
const clients = await useToolClients(scene.service.url);

/** Nodes like the genuine one of this page, each for another product, with matching claims but without a valid signature. */
function crowdOf(size: number): Json[] {
  const text = JSON.stringify(genuine);
  return Array.from({ length: size }, (_, n) => {
    const id = kettle.id.replace(/^.{8}/, String(n).padStart(8, '0'));
    const node = JSON.parse(text.replaceAll(kettle.id, id)) as { proof: { jwt: string } };
    const [header, payload = '', signature] = node.proof.jwt.split('.');
    const claims = Buffer.from(payload, 'base64url').toString().replaceAll(kettle.id, id);
    const made = Buffer.from(claims).toString('base64url');
    return { ...node, proof: { ...node.proof, jwt: `${header}.${made}.${signature}` } };
  });
}

scenario(
  'a page with forged certificates before the genuine one is verified by it',
  covers('PV-CANDIDATES'),
  async () => {
    const { json: jwks } = await scene.call('GET', '/api/v1/.well-known/jwks.json');
    for (const size of [7, 8, 63]) {
      const html = productPage(...crowdOf(size), genuine);
      const url = `${kettle.url}?ref=${size}`;
      scene.shop.put(url, html);
      expect(await scene.checkPage(url)).toMatchObject({
        verdict: 'verified',
        mc4p: { product_id: kettle.id },
      });
      for (const { client } of clients) {
        const answer = await client.callTool({ name: 'check_product_page', arguments: { url } });
        expect(answer.structuredContent).toMatchObject({ verdict: 'verified' });
      }
      const offline = await verifyFromHtml(html, {
        pageUrl: url,
        trustedIssuers: [BASE_URL],
        jwks,
        now: new Date(),
      });
      expect(offline.verdict).toBe('verified');
    }
  },
);

scenario(
  'forged certificates alone are never verified, and those not judged are counted',
  covers('PV-CANDIDATES'),
  async () => {
    scene.shop.put(`${kettle.url}?ref=64`, productPage(...crowdOf(64)));
    const report = await scene.checkPage(`${kettle.url}?ref=64`);
    expect(report.verdict).toBe('product_deleted');
    expect(codes(report.findings)).toContain('too_many_certificates');
  },
);
