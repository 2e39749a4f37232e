import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ROOT } from '../kit/imports.ts';
import { openScene, type Scene } from '../kit/service.ts';
import { productPage } from '../kit/shop.ts';

const run = promisify(execFile);
let scene: Scene;
let url: string;

beforeAll(async () => {
  scene = await openScene();
  const store = await scene.store('shop.example');
  const product = await store.product('kettle');
  url = product.url;
  const page = productPage(await scene.certificate(product.id));
  scene.shop.put(url, page);
  scene.shop.put('http://copy.example/products/kettle', page);
});
afterAll(() => scene.close());

const curl = (page: string) =>
  run('bash', [join(ROOT, 'examples/curl.sh'), scene.service.url, page]).then(
    ({ stdout }) => ({ code: 0, stdout }),
    ({ code, stdout }: { code: number; stdout: string }) => ({ code, stdout }),
  );

it('examples/curl.sh distinguishes a certified page from a copy and from one without a certificate', async () => {
  expect(await curl(url)).toEqual({ code: 0, stdout: 'page: verified\ncertificate: verified\n' });
  expect(await curl('http://copy.example/products/kettle')).toEqual({
    code: 1,
    stdout: 'page: checks_failed\ncertificate: failed\n',
  });
  scene.shop.put('http://shop.example/plain', '<!doctype html><title>Plain</title>');
  expect(await curl('http://shop.example/plain')).toEqual({ code: 1, stdout: 'page: no_certificate\n' });
});
