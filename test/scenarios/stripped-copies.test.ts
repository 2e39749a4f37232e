import { afterAll, beforeAll, describe, expect } from 'vitest';
import { runCli } from '../../packages/cli/src/testing.ts';
import { openImageScene, type ImageScene } from '../support/image-scene.ts';
import { picture, servePicture } from '../support/pictures.ts';
import { covers, scenario } from '../support/scenario.ts';
import { codes, type Json, type SceneStore } from '../support/service.ts';
import { productPage } from '../support/shop.ts';

const COPY = 'http://copy.example/products/pot';

let world: ImageScene;
let store: SceneStore;
let own: Uint8Array;
let pot: { id: string; url: string };

beforeAll(async () => {
  world = await openImageScene();
  own = await world.signedByMerchant('pot');
  pot = await world.productWith('pot', own);
  store = await world.scene.store('other.example');
});
afterAll(() => world.close());

/** A page with these pictures and no certificate. */
function putPage(url: string, pictures: Readonly<Record<string, Uint8Array>>): void {
  const { shop } = world.scene;
  const image = Object.entries(pictures).map(([name, bytes]) => {
    const address = new URL(`/${name}.jpg`, url).href;
    servePicture(shop, address, bytes);
    return address;
  });
  shop.put(url, productPage({ '@context': 'https://schema.org', '@type': 'Product', name: 'Pot', image }));
}

/** The findings about a page through each transport that examines pictures; they must be equal. */
async function findingsOn(url: string): Promise<string[]> {
  const { json } = await world.scene.call('POST', '/api/v1/mc4p/page-checks', { url, images: 'match' });
  const service = world.scene.service.url;
  const ran = await runCli(['check', url, '--images', '--json', '--service', service]);
  expect(ran.json().findings).toEqual(json.findings);
  expect(json).toMatchObject({ verdict: 'no_certificate', conclusion: { level: 'none', code: 'no_certificate' } });
  return json.findings as string[];
}

describe('pictures of a page without a certificate', () => {
  scenario('x', covers('PV-KNOWN'), async () => {
    putPage(COPY, { pot: own, other: await picture('other') });
    expect(await findingsOn(COPY)).toEqual([]);
  });
});
