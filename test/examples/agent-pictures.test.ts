import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { SHOP, useImageScene } from '../kit/image-scene.ts';
import { ROOT } from '../kit/imports.ts';
import { picture, servePicture } from '../kit/pictures.ts';
import { productPage } from '../kit/shop.ts';

const run = promisify(execFile);
const { scene, productWith, askForSignatures } = await useImageScene();

it('examples/agent.ts buys where a picture is the certified one, and not where it was swapped, at its address or at another', async () => {
  await askForSignatures(true);
  const { id, url: certified } = await productWith('kettle', await picture('kettle', 'jpeg', 400));
  const another = await picture('another', 'jpeg', 400);
  servePicture(scene.shop, `${SHOP}/another.jpg`, another);
  const certificate = await scene.certificate(id);
  const page = String(certificate.url);
  const decided = async (image: string) => {
    const stated = { '@context': 'https://schema.org', '@type': 'Product', name: 'The kettle', image };
    scene.shop.put(page, productPage(certificate, stated));
    const { stdout } = await run(process.execPath, [
      join(ROOT, 'examples/agent.ts'),
      `${scene.service.url}/mcp`,
      page,
    ]);
    return stdout.trim();
  };
  expect(await decided(certified)).toBe(`${page}: buy "The kettle" at nothing stated`);
  scene.travel(20 * 60);
  expect(await decided(`${SHOP}/another.jpg`)).toMatch(/: leave it: page_unclear /);
  scene.travel(20 * 60);
  servePicture(scene.shop, certified, another);
  expect(await decided(certified)).toBe(`${page}: leave it: none of its pictures is a certified one`);
});
