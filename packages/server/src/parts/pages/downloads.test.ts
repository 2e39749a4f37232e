import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { useFolder } from '../../../../../test/kit/folder.ts';
import { testServer } from '../../platform/http/testing.ts';
import { downloadRoutes } from './downloads.ts';

const folder = useFolder('downloads');
const BYTES = Buffer.from([0x1f, 0x8b, 0, 255]);
const sha256 = createHash('sha256').update(BYTES).digest('hex');
const files = [
  { id: 'cli', file: 'touchstone-cli.tgz', version: '1.2.3', bytes: 4, sha256 },
  { id: 'woocommerce', file: 'plugin.zip', version: '2.0.0', bytes: 4, sha256 },
];

function serve() {
  for (const { file } of files) writeFileSync(join(folder, file), BYTES);
  writeFileSync(join(folder, 'downloads.json'), JSON.stringify({ downloads: files }));
  return testServer({ routes: downloadRoutes(folder) }).app;
}

it('offers each file with its type, version and checksum, to GET, HEAD and a condition', async () => {
  const app = serve();
  expect((await app.inject('/downloads')).json()).toEqual({ downloads: files });
  for (const [url, type, name] of [
    ['/downloads/touchstone-cli.tgz', 'application/gzip', 'touchstone-cli-1.2.3.tgz'],
    ['/downloads/plugin.zip', 'application/zip', 'plugin-2.0.0.zip'],
  ] as const) {
    const got = await app.inject(url);
    expect(got.rawPayload.equals(BYTES)).toBe(true);
    const headers = {
      'content-type': type,
      'content-length': '4',
      'content-disposition': `attachment; filename="${name}"`,
      etag: `"${sha256}"`,
      'cache-control': 'no-cache',
    };
    expect(got.headers).toMatchObject(headers);
    const head = await app.inject({ method: 'HEAD', url });
    expect([head.statusCode, head.body]).toEqual([200, '']);
    expect(head.headers).toMatchObject(headers);
    const again = await app.inject({ url, headers: { 'if-none-match': `"${sha256}"` } });
    expect([again.statusCode, again.body]).toEqual([304, '']);
  }
});

it('lists the checksums as sha256sum reads them', async () => {
  const { body, headers } = await serve().inject('/downloads/SHA256SUMS');
  expect(body).toBe(`${sha256}  touchstone-cli.tgz\n${sha256}  plugin.zip\n`);
  expect(headers['content-type']).toBe('text/plain; charset=utf-8');
});

it('serves nothing else of its folder, or of any other', async () => {
  const app = serve();
  for (const name of ['downloads.json', '..%2Fpackage.json', '%2e%2e'])
    expect([name, (await app.inject(`/downloads/${name}`)).statusCode]).toEqual([name, 404]);
});

it('says that nothing was built, in place of an empty list', async () => {
  const { app } = testServer({ routes: downloadRoutes(join(folder, 'nowhere')) });
  for (const url of ['/downloads', '/downloads/SHA256SUMS'])
    expect((await app.inject(url)).json()).toMatchObject({ status: 503, code: 'pages_not_built' });
});
