import { describe, expect, vi } from 'vitest';
import { runCli } from '../../packages/cli/src/testing.ts';
import { SHOP, useImageScene } from '../kit/image-scene.ts';
import { PATIENT } from '../kit/patience.ts';
import { picture, servePicture } from '../kit/pictures.ts';
import { covers, scenario } from '../kit/scenario.ts';
import { codes, type Json, type SceneStore } from '../kit/service.ts';
import { productPage } from '../kit/shop.ts';
import { useToolClients } from '../kit/tools.ts';

const world = await useImageScene();
const clients = await useToolClients(world.scene.service.url);

/** Serves a page with these pictures and no certificate. */
function putPage(url: string, ...pictures: readonly Uint8Array[]): string {
  const { shop } = world.scene;
  const image = pictures.map((bytes, at) => {
    const address = `${url}-${at}.jpg`;
    servePicture(shop, address, bytes);
    return address;
  });
  shop.put(url, productPage({ '@context': 'https://schema.org', '@type': 'Product', name: 'Pot', image }));
  return url;
}

/** The findings about a page without a certificate, through every transport; they must be equal. */
async function findingsOn(url: string): Promise<string[]> {
  const asked = { url, images: 'match' };
  const { json } = await world.scene.call('POST', '/api/v1/mc4p/page-checks', asked);
  expect(json).toMatchObject({
    verdict: 'no_certificate',
    conclusion: { level: 'none', code: 'no_certificate' },
    errors: [],
  });
  const service = world.scene.service.url;
  const ran = await runCli(['check', url, '--images', '--json', '--service', service]);
  const answers: unknown[] = [ran.json().findings];
  for (const { client } of clients) {
    const { structuredContent } = await client.callTool({ name: 'check_product_page', arguments: asked });
    answers.push((structuredContent as Json).findings);
  }
  expect(answers).toEqual(answers.map(() => json.findings));
  expect(JSON.stringify(json.findings)).not.toMatch(/fraud|fake|stolen|copied/i);
  return json.findings as string[];
}

/** Adds a product with one picture to another store, and waits until it is certified. */
async function certify(
  store: SceneStore,
  host: string,
  bytes: Uint8Array,
  changes: Json = {},
): Promise<string> {
  const url = `http://${host}/picture.img`;
  servePicture(world.scene.shop, url, bytes);
  const { id } = await store.product('pot', { images: [{ url }], ...changes });
  await vi.waitFor(
    async () => {
      const { images } = await world.scene.operate('GET', `/stores/${store.id}/images?state=certified`);
      expect(images).toHaveLength(1);
    },
    { interval: 100, ...PATIENT },
  );
  return id;
}

describe('pictures of a page that carries no certificate', () => {
  const today = () => new Date().toISOString().slice(0, 10);

  scenario(
    'that are, byte for byte, certified for another shop are told with its host and since when, as a fact',
    covers('PV-KNOWN'),
    async () => {
      const bytes = await world.signedByMerchant('pot');
      await world.productWith('pot', bytes);
      const url = putPage('http://copy.example/pot', bytes, await picture('another'));
      expect(await findingsOn(url)).toEqual([
        expect.stringMatching(
          `^pictures_certified_elsewhere: .* alone says nothing about who made them\\. .*: shop\\.example, since ${today()}; 1 picture$`,
        ),
      ]);
      // elsewhere and smaller, it is another file
      const other = putPage('http://copy.example/small', await picture('pot', 'webp', 80));
      expect(codes(await findingsOn(other))).toEqual(['pictures_not_certified']);
    },
  );

  scenario(
    'are compared with the file from which a certified one was made, too',
    covers('PV-KNOWN'),
    async () => {
      await world.askForSignatures(true);
      const source = await picture('signed by the service');
      await world.productWith('mug', source);
      await world.askForSignatures(false);
      const url = putPage('http://copy.example/mug', source);
      expect(codes(await findingsOn(url))).toEqual(['pictures_certified_elsewhere']);
    },
  );

  scenario(
    'that several unrelated merchants have certified are told to prove nothing',
    covers('PV-KNOWN'),
    async () => {
      const bytes = await world.signedByMerchant('of a maker');
      await world.productWith('kettle', bytes);
      const url = putPage('http://copy.example/kettle', bytes);
      expect(codes(await findingsOn(url))).toEqual(['pictures_certified_elsewhere']);
      await certify(await world.scene.store('other.example'), 'other.example', bytes);
      expect(codes(await findingsOn(url))).toEqual(['pictures_certified_by_several']);
    },
  );

  scenario(
    'are not told to be certified by a shop on an unproven host, or for a product that publishes nothing',
    covers('PV-KNOWN'),
    async () => {
      const bytes = await world.signedByMerchant('unproven');
      const url = putPage('http://copy.example/unproven', bytes);
      const unproven = await world.scene.store('unproven.example', { proven: false });
      await certify(unproven, 'unproven.example', bytes);
      expect(codes(await findingsOn(url))).toEqual(['pictures_not_certified']);
      const hidden = await world.productWith('hidden', bytes);
      expect(codes(await findingsOn(url))).toEqual(['pictures_certified_elsewhere']);
      await world.scene.operate('PATCH', `/products/${hidden.id}`, { visible: false });
      expect(codes(await findingsOn(url))).toEqual(['pictures_not_certified']);
    },
  );

  scenario(
    'are those of the shop itself on its own host, which is told to be a shop of the service',
    covers('PV-KNOWN'),
    async () => {
      const bytes = await world.signedByMerchant('own');
      const { id } = await world.productWith('own', bytes);
      const elsewhere = putPage(`${SHOP}/about`, bytes);
      // certificates are issued in the background
      await vi.waitFor(
        async () => expect(codes((await world.scene.checkPage(elsewhere)).findings)).toHaveLength(1),
        { interval: 100, ...PATIENT },
      );
      expect(codes(await findingsOn(elsewhere))).toEqual(['host_certified_elsewhere']);
      const page = putPage(`${SHOP}/products/own`, bytes);
      const path = `${world.scene.baseUrl}/api/v1/mc4p/products/${id}/certificate`;
      expect(await findingsOn(page)).toEqual([
        expect.stringMatching(new RegExp(`^product_certified_here: .*: ${path}$`)),
        expect.stringMatching(/^host_certified_elsewhere: /),
      ]);
    },
  );
});
