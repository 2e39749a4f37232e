import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { ROOT } from '../kit/imports.ts';
import { useScene } from '../kit/service.ts';
import { productPage } from '../kit/shop.ts';

const run = promisify(execFile);

const scene = await useScene();
const kettle = await (await scene.store('shop.example')).product('kettle');
const { url } = kettle;
const certified = productPage(await scene.certificate(kettle.id));
scene.shop.put(url, certified);
scene.shop.put('http://copy.example/products/kettle', certified);

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
