import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { toolPath } from '../kit/installed.ts';
import { EXTENSION, renderBadge, renderEmbed } from '../kit/shopify-theme.ts';

const URL_OF = 'https://kettles.example/products/th%C3%A9i%C3%A8re?variant=1';
const withCertificate = (value: unknown, handle = 'théière') => ({
  handle,
  metafields: { $app: { touchstone_certificate: { value } } },
});

describe('the app embed of the theme app extension', () => {
  it('prints the certificate unchanged, whatever its texts contain, in one block', async () => {
    const certificate = {
      '@type': 'Product',
      url: URL_OF,
      name: '</script><script>alert(1)</script> & <!-- “”',
    };
    const html = await renderEmbed(withCertificate(certificate));
    expect(html.match(/<script/g)).toHaveLength(1);
    const text =
      /<script type="application\/ld\+json" data-touchstone>([\s\S]*?)<\/script>/.exec(html)?.[1] ?? '';
    expect(JSON.parse(text)).toEqual(certificate);
  });

  it.each([
    ['is not a product page', undefined],
    ['has no certificate', { handle: 'teapot', metafields: { $app: {} } }],
    ['lost its certificate', withCertificate(null)],
    ['has a different address', withCertificate({ url: URL_OF }, 'teapot')],
  ])('prints nothing if the page %s', async (_, product) => {
    expect((await renderEmbed(product)).trim()).toBe('');
  });

  it('shows the badge of the service that issued the certificate, and none without one', async () => {
    const recordUrl = 'https://certs.example/api/v1/mc4p/products/x/certificate';
    const html = await renderBadge(withCertificate({ url: URL_OF, 'svc:record': { recordUrl } }), {
      size: 'small',
    });
    expect(html).toContain('<script type="module" src="https://certs.example/badge.js"></script>');
    expect(html).toContain('<product-certificate size="small"');
    expect(html).toContain('href="https://certs.example/check"');
    expect(html).toContain('alt="Check this page"');
    const hostile = { 'svc:record': { recordUrl: 'https://x"><script>alert(1)</script>/api/v1/' } };
    expect((await renderBadge(withCertificate(hostile))).match(/<script/g)).toHaveLength(1);
    for (const product of [undefined, withCertificate(null), withCertificate({ url: URL_OF })])
      expect((await renderBadge(product)).trim()).toBe('');
  });

  it('names its texts in every language of its locales', async () => {
    const blocks = ['certificate', 'badge'].map((name) =>
      readFile(`${EXTENSION}/blocks/${name}.liquid`, 'utf8'),
    );
    const block = (await Promise.all(blocks)).join('');
    const used = Array.from(block.matchAll(/"t:([\w.]+)"/g), ([, key]) => key ?? '');
    for (const file of ['en.default.schema.json', 'es.schema.json']) {
      const texts = JSON.parse(await readFile(`${EXTENSION}/locales/${file}`, 'utf8'));
      for (const key of used)
        expect(
          key.split('.').reduce((at, part) => at?.[part], texts),
          `${file}: ${key}`,
        ).toBeTypeOf('string');
    }
  });

  const linter = toolPath('shopify', '@shopify/theme-check-node/dist/index.js');
  it.skipIf(linter === null)('passes Shopify’s own linter', async () => {
    const { check } = await import(pathToFileURL(linter ?? '').href);
    expect(await check(resolve(EXTENSION))).toEqual([]);
  });
});
