import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { createTestIssuer, TEST_ISSUER, TEST_NOW, TEST_PRODUCT } from '@touchstone/certificate/testing';
import { beforeEach, describe, expect, it } from 'vitest';
import { useFolder } from '../../../../../test/kit/folder.ts';
import { idOf, loopbackServers, runCli } from '../../testing.ts';

const folder = useFolder('certify');
const issuer = await createTestIssuer();
const jwks = join(folder, 'jwks.json');
const certificates = join(folder, 'certificates');
const out = join(folder, 'out.feed');
const serve = loopbackServers();

interface Good {
  readonly id: string;
  readonly url: string;
  readonly name: string;
  readonly sku: string;
  readonly gtin: string;
  readonly brand: string;
  readonly picture: string;
}

const GOODS: readonly Good[] = ['4012345123456', '4006381333931', '4012345678901'].map((gtin, at) => ({
  id: `${at + 1}`,
  url: `https://shop.example/products/cup-${at + 1}`,
  name: `Stoneware cup Größe ${at + 1}`,
  sku: `CUP-${at + 1}`,
  gtin,
  brand: 'Kiln',
  picture: `https://shop.example/cup-${at + 1}.jpg`,
}));

const control = { method: 'dns_txt', checkedAt: '2026-02-27T09:00:00Z' };
const [image] = TEST_PRODUCT.images;
const documentOf = ({ id, url, name, sku, gtin, brand, picture }: Good) =>
  issuer.certificate({
    product: {
      ...TEST_PRODUCT,
      productId: idOf(Number(id)),
      url,
      name,
      sku,
      gtin,
      brand,
      control,
      images: [{ ...image, contentUrl: picture }],
    } as typeof TEST_PRODUCT,
  });

async function pulled(goods: readonly Good[]): Promise<void> {
  await rm(certificates, { recursive: true, force: true });
  await mkdir(certificates, { recursive: true });
  await writeFile(
    join(certificates, 'pulled.json'),
    JSON.stringify({ service: TEST_ISSUER, storeId: 's', cursor: 'c' }),
  );
  for (const good of goods)
    await writeFile(
      join(certificates, `${idOf(Number(good.id))}.json`),
      JSON.stringify(await documentOf(good)),
    );
}

beforeEach(async () => {
  await writeFile(jwks, JSON.stringify(issuer.jwks));
  await rm(out, { force: true });
  await pulled(GOODS);
});

const trust = ['--issuer', TEST_ISSUER, '--jwks', jwks];

async function certify(feed: string | Uint8Array, ...more: readonly string[]) {
  const argv = [
    'feed',
    'certify',
    '-',
    '--out',
    out,
    '--certificates',
    certificates,
    '--json',
    ...trust,
    ...more,
  ];
  const ran = await runCli(argv, { stdin: feed, now: TEST_NOW });
  return {
    ...ran,
    rows:
      ran.out.trim() === ''
        ? []
        : ran.out
            .trim()
            .split('\n')
            .map((line) => JSON.parse(line)),
  };
}

async function verify(feed: string | Uint8Array, ...more: readonly string[]) {
  const ran = await runCli(['feed', 'verify', '-', '--json', ...trust, ...more], {
    stdin: feed,
    now: TEST_NOW,
  });
  return {
    ...ran,
    rows: ran.out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
  };
}

const written = () => readFile(out);
const xml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
const google = (good: Good) => `  <item>
    <g:id>${good.id}</g:id>
    <title><![CDATA[${good.name}]]></title> <!-- a & b -->
    <link>${xml(`${good.url}?utm_source=feed&utm_medium=x`)}</link>
    <g:brand>${good.brand}</g:brand><g:mpn>${good.sku}</g:mpn><g:sku>${good.sku}</g:sku><g:gtin>${good.gtin}</g:gtin>
    <g:image_link>${good.picture}</g:image_link>
    <g:shipping><g:country>DE</g:country><g:price>4.90 EUR</g:price></g:shipping>
  </item>
`;
const head =
  '<?xml version="1.0" encoding="UTF-8"?>\n<rss version="2.0" xmlns:g="http://base.google.com/ns/1.0"><channel><title>Shop</title>\n';
const cell = (text: string) => `"${text.replaceAll('"', '""')}"`;

/** The same goods in every form. */
const FORMS: Readonly<Record<string, (goods: readonly Good[]) => string>> = {
  'Google XML (RSS)': (goods) => `${head}${goods.map(google).join('')}</channel></rss>\n<!-- end -->\n`,
  'Google XML (Atom)': (goods) =>
    `<feed xmlns="http://www.w3.org/2005/Atom" xmlns:g="http://base.google.com/ns/1.0">${goods
      .map(
        (good) =>
          `<entry><id>${good.id}</id><title>${good.name}</title><link rel="alternate" href="${good.url}"/><g:sku>${good.sku}</g:sku><g:gtin>${good.gtin}</g:gtin><g:brand>${good.brand}</g:brand><g:image_link>${good.picture}</g:image_link></entry>`,
      )
      .join('\r\n')}</feed>`,
  'TSV with CRLF': (goods) =>
    `id\ttitle\tlink\tbrand\tsku\tgtin\timage_link\r\n${goods.map((g) => [g.id, g.name, g.url, g.brand, g.sku, g.gtin, g.picture].join('\t')).join('\r\n')}\r\n`,
  'CSV with quotes, an empty line and no last line end': (goods) =>
    `"id";"title";link;brand;sku;gtin;image link\n\n${goods.map((g) => [cell(g.id), cell(`${g.name}`), g.url, g.brand, g.sku, g.gtin, cell(g.picture)].join(';')).join('\n')}`,
  'ACP, JSON lines': (goods) =>
    goods
      .map((g) =>
        JSON.stringify({
          item_id: g.id,
          title: g.name,
          url: g.url,
          brand: g.brand,
          sku: g.sku,
          gtin: g.gtin,
          image_url: g.picture,
          seller_name: 'Shop',
        }),
      )
      .join('\n'),
  'UCP, a page of products': (goods) =>
    JSON.stringify(
      {
        ucp: { version: '2026-08-22' },
        products: goods.map((g) => ({
          id: g.id,
          title: g.name,
          description: { plain: 'A cup {"}' },
          url: g.url,
          brand: g.brand,
          price_range: { min: { amount: 2490, currency: 'EUR' }, max: { amount: 2490, currency: 'EUR' } },
          media: [{ type: 'image', url: g.picture }],
          ...(g.id === '2' ? { metadata: { note: 'kept' } } : {}),
          variants: [
            {
              id: `${g.id}-1`,
              sku: g.sku,
              title: g.name,
              description: { plain: '' },
              barcodes: [{ type: 'EAN', value: g.gtin }],
              price: { amount: 2490, currency: 'EUR' },
            },
          ],
        })),
        pagination: { has_next_page: false },
      },
      null,
      2,
    ),
  'schema.org, one in a graph': (goods) =>
    JSON.stringify(
      goods.map((g) => {
        const product = {
          '@type': 'Product',
          url: g.url,
          name: g.name,
          brand: { '@type': 'Brand', name: g.brand },
          sku: g.sku,
          gtin13: g.gtin,
          image: g.picture,
        };
        return g.id === '2'
          ? { '@context': 'https://schema.org', '@graph': [{ '@type': 'WebPage', name: 'x' }, product] }
          : { '@context': 'https://schema.org', ...product };
      }),
    ),
  'WooCommerce, REST': (goods) =>
    JSON.stringify(
      goods.map((g) => ({
        id: Number(g.id),
        name: g.name,
        permalink: g.url,
        type: 'simple',
        status: 'publish',
        sku: g.sku,
        global_unique_id: g.gtin,
        brands: [{ name: g.brand }],
        images: [{ id: 1, src: g.picture }],
        meta_data: [],
        attributes: [],
        variations: [],
      })),
    ),
  'Shopify, captured pages': (goods) =>
    JSON.stringify([{ products: goods.slice(0, 1).map(shopify) }, { products: goods.slice(1).map(shopify) }]),
};

function shopify(g: Good) {
  return {
    id: Number(g.id),
    title: g.name,
    handle: g.url.split('/').at(-1),
    vendor: g.brand,
    product_type: '',
    tags: [],
    body_html: '',
    variants: [{ id: 10 + Number(g.id), title: 'Default Title', sku: g.sku, barcode: g.gtin }],
    images: [{ id: 1, src: g.picture }],
    options: [],
  };
}

const source = ['--source', 'https://shop.example'];
const ALTERED: Readonly<Record<string, (good: Good) => Good>> = {
  name: (good) => ({ ...good, name: 'Porcelain plate' }),
  brand: (good) => ({ ...good, brand: 'Other' }),
  sku: (good) => ({ ...good, sku: 'PLATE-9' }),
  gtin: (good) => ({ ...good, gtin: '4005900000019' }),
  pictures: (good) => ({ ...good, picture: 'https://shop.example/other.jpg' }),
};

describe.each(Object.entries(FORMS))('a feed of %s', (form, feedOf) => {
  it('gets the certificate of each item, keeps every other character, and is verified', async () => {
    const feed = feedOf(GOODS);
    const ran = await certify(feed, ...source);
    expect(ran.rows.map(({ outcome, foundBy }) => [outcome, foundBy])).toEqual(
      GOODS.map(() => ['certified', 'page']),
    );
    expect(ran.code).toBe(0);
    const signed = await written();
    const verified = await verify(signed, ...source);
    expect(verified.rows.map(({ conclusion, certificate }) => [conclusion?.code, certificate])).toEqual(
      GOODS.map(() => ['item_agrees', 'carried']),
    );
    expect(verified.code).toBe(0);
    // nothing happens the second time
    await certify(signed, ...source);
    expect((await written()).equals(signed)).toBe(true);
    // without its certificate it is the feed again, but for the cells of a column
    await pulled([]);
    const removed = await certify(signed, ...source);
    expect(removed.rows.map(({ outcome, removed: was }) => [outcome, was])).toEqual(
      GOODS.map(() => ['no_certificate', true]),
    );
    expect(removed.code).toBe(2);
    const left = String(await written());
    if (/TSV|CSV/.test(form))
      expect(left.replaceAll(/[;\t](?:touchstone_certificate)?(?=\r?\n|$)/g, '')).toBe(feed);
    else if (/UCP/.test(form))
      expect(JSON.parse(left.replaceAll(/,"metadata":\{\}/g, ''))).toEqual(JSON.parse(feed));
    else expect(left).toBe(feed);
  });

  it.each(Object.entries(ALTERED))(
    'names what is altered in each item afterwards, and certifies none such: %s',
    async (field, alter) => {
      await certify(feedOf(GOODS), ...source);
      const signed = String(await written());
      // each altered value stands in the certificate, too, where it is not altered
      const altered = alterOutside(signed, alter);
      const verified = await verify(altered, ...source);
      for (const { fields, conclusion } of verified.rows)
        expect([fields[field].result, conclusion.code]).toEqual(['differs', 'item_differs']);
      expect(verified.code).toBe(1);
      const ran = await certify(altered, ...source);
      for (const { outcome, fields, removed } of ran.rows)
        expect([outcome, Object.keys(fields), removed]).toEqual(['differs', [field], true]);
      expect(ran.code).toBe(1);
    },
  );

  function alterOutside(signed: string, alter: (good: Good) => Good): string {
    const [before, after] = [feedOf(GOODS), feedOf(GOODS.map(alter))];
    expect(after).not.toBe(before);
    let text = signed;
    for (const good of GOODS) {
      const changed = alter(good);
      for (const key of ['name', 'brand', 'sku', 'gtin', 'picture'] as const) {
        if (good[key] === changed[key]) continue;
        const [from, to] = [good[key], changed[key]];
        // ASCII and quotation marks tell the values of the certificate from those of the feed
        text = outsideCertificates(text, (part) => part.replaceAll(from, to));
      }
    }
    return text;
  }
});

/** Changes a text except its certificates. */
function outsideCertificates(text: string, change: (part: string) => string): string {
  const parts = text.split(
    /("?\{(?:\\?"|"")@context(?:\\?"|""):\[(?:[^{}]|\{[^{}]*\}|\{(?:[^{}]|\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\})*\})*\}"?)/,
  );
  return parts.map((part, at) => (at % 2 === 1 ? part : change(part))).join('');
}

describe('touchstone feed certify', () => {
  const [cup] = GOODS as [Good];
  const line = (value: object) => `${JSON.stringify(value)}\n`;
  const item = { id: 'a', title: cup.name, link: cup.url, sku: cup.sku };

  it('tells which items get none, and why', async () => {
    await pulled(GOODS.slice(0, 2));
    const [, second, third] = GOODS as [Good, Good, Good];
    const ran = await certify(
      [
        item,
        { id: 'b', title: second.name, link: `${cup.url}-other`, sku: second.sku },
        { id: 'c', title: third.name, link: third.url },
        { id: 'd', title: second.name, link: 'https://copy.example/products/cup-2', gtin: second.gtin },
        { id: 'e', title: cup.name, link: cup.url, certificate: await issuer.certificate() },
        { nothing: true },
      ]
        .map(line)
        .join(''),
    );
    expect(ran.rows).toMatchObject([
      {
        row: 1,
        id: 'a',
        outcome: 'certified',
        foundBy: 'page',
        conclusion: 'item_agrees',
        productId: idOf(1),
      },
      {
        row: 2,
        outcome: 'differs',
        foundBy: 'sku',
        fields: { page: { signed: second.url, stated: `${cup.url}-other` } },
      },
      { row: 3, outcome: 'no_certificate' },
      {
        row: 4,
        outcome: 'differs',
        foundBy: 'gtin',
        fields: { host: { signed: 'shop.example', stated: 'copy.example' } },
      },
      { row: 5, outcome: 'certified' },
      { problem: { row: 6, code: 'row_not_product' } },
    ]);
    expect(ran.code).toBe(1);
    expect(ran.err).toContain('6 items read, 2 certified');
    const lines = String(await written())
      .trim()
      .split('\n')
      .map((text) => JSON.parse(text));
    expect(lines.map((one) => Object.keys(one).filter((name) => /certificate/.test(name)))).toEqual([
      ['touchstone_certificate'],
      [],
      [],
      [],
      ['touchstone_certificate'],
      [],
    ]);
  });

  it('finds one for an item without a link by its number, unless several have it', async () => {
    const { link: _, ...unlinked } = item;
    expect((await certify(line(unlinked))).rows).toMatchObject([{ outcome: 'certified', foundBy: 'sku' }]);
    await pulled([cup, { ...cup, id: '2', url: `${cup.url}-2` }]);
    expect((await certify(line(unlinked))).rows).toMatchObject([{ outcome: 'no_certificate' }]);
  });

  it('keeps a certificate of another issuer, and gives no expired one', async () => {
    const foreign = await issuer.certificate({ claims: { iss: 'https://other.example' } });
    const feed = line({ ...item, certificate: foreign });
    await certify(feed);
    expect(JSON.parse(String(await written())).certificate).toEqual(foreign);
    await certify(line({ ...item, touchstone_certificate: foreign }));
    expect(String(await written())).toBe(line({ ...item, touchstone_certificate: foreign }));
    const later = await runCli(
      ['feed', 'certify', '-', '--out', out, '--certificates', certificates, ...trust],
      { stdin: feed, now: new Date(TEST_NOW.getTime() + 8 * 86_400_000) },
    );
    expect([later.code, later.out]).toEqual([
      1,
      expect.stringContaining('row 1  not_verified (certificate_expired)'),
    ]);
  });

  it.each([
    ['XML that breaks off', `${head}${google(cup)}<item><title>Cup`],
    ['a quoted cell that is not closed', `id,title,link\n1,"Cup,${cup.url}\n`],
    ['JSON that breaks off', `[${JSON.stringify(item)},{"id":`],
    ['a page', '<!doctype html><title>Cup</title>'],
    ['a table of something else', 'a,b,c\n1,2,3\n'],
    ['nothing', ''],
    ['elements without end', `${head}<item>${'<a>'.repeat(300)}`],
  ])('writes nothing of %s, and keeps what was there', async (_, feed) => {
    await writeFile(out, 'before');
    const ran = await certify(feed);
    expect([ran.code, ran.json().error]).toMatchObject([3, { code: 'feed_unreadable' }]);
    expect(String(await written())).toBe('before');
    await expect(stat(`${out}.part`)).rejects.toThrow();
  });

  it('resolves no entity that a feed defines, and passes a huge item on', async () => {
    const bomb = '<!DOCTYPE rss [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>';
    const feed = `${head.replace('<rss', `${bomb}<rss`)}${google({ ...cup, name: '&b;' })}${google(cup)}</channel></rss>`;
    const huge = feed.replace('4.90 EUR', 'x'.repeat(3_000_000));
    const ran = await certify(huge);
    expect(ran.rows).toMatchObject([{ outcome: 'differs' }, { outcome: 'certified' }]);
    const text = String(await written());
    expect(text.replace(/<svc:certificate.*?<\/svc:certificate>/g, '')).toBe(huge);
  });

  it.each([
    ['UTF-8 with a mark', (text: string) => Buffer.from(`\uFEFF${text}`)],
    ['UTF-16', (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le')],
    ['UTF-16, big-endian', (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le').swap16()],
    ['windows-1252', (text: string) => Buffer.from(text.replace('UTF-8', 'windows-1252'), 'latin1')],
    ['gzip', (text: string) => gzipSync(text)],
  ])('writes a feed in %s as it was written', async (form, encode) => {
    const feed = encode(`${head}${GOODS.map(google).join('')}</channel></rss>`);
    expect((await certify(feed)).code).toBe(0);
    const signed = await written();
    expect((await verify(signed)).code).toBe(0);
    await pulled([]);
    await certify(signed);
    const left = await written();
    expect(form === 'gzip' ? gunzipSync(left).equals(gunzipSync(feed)) : left.equals(feed)).toBe(true);
  });

  it('refuses a feed whose encoding it cannot write', async () => {
    const feed = `<?xml version="1.0" encoding="shift_jis"?><rss xmlns:g="http://base.google.com/ns/1.0"><channel>${google({ ...cup, name: 'Cup' })}</channel></rss>`;
    const ran = await certify(feed);
    expect([ran.code, ran.json().error]).toMatchObject([
      64,
      { message: expect.stringContaining('shift_jis: save it as UTF-8') },
    ]);
    await expect(stat(out)).rejects.toThrow();
  });

  it('replaces no feed by itself, whatever it is called', async () => {
    const feed = join(folder, 'feed.jsonl');
    await writeFile(feed, line(item));
    const into = (target: string, from = feed) =>
      runCli(['feed', 'certify', from, '--out', target, '--certificates', certificates, ...trust], {
        now: TEST_NOW,
      });
    expect(await into(join(folder, '..', folder.split('/').at(-1) ?? '', 'feed.jsonl'))).toMatchObject({
      code: 64,
    });
    expect((await into('-')).code).toBe(64);
    expect((await into(out, join(folder, 'none'))).code).toBe(64);
    expect(String(await readFile(feed))).toBe(line(item));
    const done = await into(out);
    expect([done.code, done.out]).toEqual([0, `1 item read, 1 certified in ${out}.\n  1  certified\n`]);
  });

  it('pulls the certificates first; while the service is away nothing is written, and nothing pulled is lost', async () => {
    await rm(certificates, { recursive: true });
    const current = async (good: Good, cursor: string) =>
      line({
        status: 'current',
        productId: idOf(Number(good.id)),
        externalProductId: good.id,
        url: good.url,
        issuedAt: TEST_NOW.toISOString(),
        replaceBy: new Date(TEST_NOW.getTime() + 6e8).toISOString(),
        cursor,
        certificate: await documentOf(good),
      });
    const [first, second] = GOODS as [Good, Good];
    const ndjson = { 'content-type': 'application/x-ndjson' };
    let isAway = false;
    const asked: string[] = [];
    const [one, two] = [await current(first, 'c1'), await current(second, 'c2')];
    const server = await serve(({ path }) => {
      asked.push(path);
      if (!isAway && path.includes('since=c1'))
        return {
          headers: ndjson,
          body: two + line({ status: 'end', cursor: 'c2', certificates: 1, withdrawn: 0, failed: 0 }),
        };
      if (path.includes('since=') || asked.length > 1) return { hangUp: true };
      return { headers: ndjson, body: one };
    });
    const feed = [first, second]
      .map(({ url, name }, at) => line({ id: at, title: name, link: url }))
      .join('');
    const run = () =>
      runCli(
        [
          'feed',
          'certify',
          '-',
          '--out',
          out,
          '--certificates',
          certificates,
          '--store',
          idOf(9),
          '--key',
          'k',
          '--service',
          server.url,
          ...trust,
        ],
        { stdin: feed, now: TEST_NOW, waits: [] },
      );
    isAway = true;
    const away = await run();
    expect(away.code).toBe(3);
    await expect(stat(out)).rejects.toThrow();
    isAway = false;
    asked.length = 0;
    const done = await run();
    expect([done.code, done.out]).toEqual([0, expect.stringContaining('2 items read, 2 certified')]);
  });

  it('stops when it is told to, and writes nothing', async () => {
    const ran = await runCli(
      ['feed', 'certify', '-', '--out', out, '--certificates', certificates, ...trust],
      {
        stdin: line(item),
        now: TEST_NOW,
        stop: AbortSignal.abort(),
      },
    );
    expect(ran.code).toBe(3);
    await expect(stat(out)).rejects.toThrow();
  });
});
