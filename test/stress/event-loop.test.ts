import { once } from 'node:events';
import { request } from 'node:http';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  openShopThreads,
  readBulk,
  readWebhook,
} from '../../packages/server/src/parts/shopify/shop-threads.ts';
import { type ImportRig, openImportRig, type ShopAnswers } from './support/catalogues/rig.ts';
import { type Build, type Format, HONEST, HOSTILE } from './support/catalogues/shapes.ts';

/*
 * At every entry point, the longest delay of the event loop beside hostile bytes is at most three times that beside an honest import
 * of as many bytes at most, measured in the same run. Page checks and images have tests of their own (`answers-barrage`,
 * `images-hostile-service`), and so have bodies of 1 MB that need no key (`requests-cost`).
 */

/** Megabytes of each shape, in as many files or requests as the entry point requires; the long form has 100 (CONTRIBUTING.md). */
const MEGABYTES = Number(process.env.TOUCHSTONE_HOSTILE_MB ?? 3);
/** Megabytes of the honest import: more would only be allowed longer delays, and take hours to write into the database. */
const HONEST_MEGABYTES = Math.min(MEGABYTES, 10);
/** Megabytes of one file that the service fetches, and of one body of rows, just below their limits. */
const FILE = 60;
const BODY = 7.9;
const FACTOR = 3;
/** Milliseconds: a garbage collection, or another process of this machine, delays the event loop that long. */
const NOISE = 60;

const MB = 1e6;
/** Milliseconds. */
const TIMEOUT = 900_000 * Math.max(1, MEGABYTES / 4);

/** Sends `megabytes` of one shape in parts of at most `limit`. */
async function inParts(
  { limit, megabytes = MEGABYTES }: { readonly limit: number; readonly megabytes?: number | undefined },
  build: Build,
  send: (part: string) => Promise<unknown>,
): Promise<void> {
  const parts = Math.ceil(megabytes / limit);
  const part = build((megabytes / parts) * MB);
  for (let n = 0; n < parts; n += 1) await send(part);
}

type Measure = (work: () => Promise<unknown>) => Promise<number>;

/** Measures each hostile shape after the honest one, again if it is too long: something else may have delayed it. */
async function compare(
  measure: Measure,
  honest: () => Promise<unknown>,
  hostile: Readonly<Record<string, () => Promise<unknown>>>,
): Promise<void> {
  await honest();
  const beside = Math.max(NOISE, await measure(honest));
  const dear: string[] = [];
  let most = { delay: 0, name: '' };
  for (const [name, work] of Object.entries(hostile)) {
    let delay = await measure(work);
    if (delay > FACTOR * beside) delay = Math.min(delay, await measure(work));
    if (delay > most.delay) most = { delay, name };
    if (delay > FACTOR * beside) dear.push(`${name}: ${delay.toFixed()} ms beside ${beside.toFixed()} ms`);
  }
  console.info(
    `${expect.getState().currentTestName}: at most ${most.delay.toFixed()} ms (${most.name}), beside honest bytes ${beside.toFixed()} ms`,
  );
  expect(dear).toEqual([]);
}

const works = (shapes: Readonly<Record<string, Build>>, run: (build: Build) => Promise<unknown>) =>
  Object.fromEntries(Object.entries(shapes).map(([name, build]) => [name, () => run(build)]));

describe('the event loop of a service', { timeout: TIMEOUT }, () => {
  let rig: ImportRig;
  beforeAll(async () => {
    rig = await openImportRig();
  });
  afterAll(() => rig?.close());

  const measure: Measure = async (work) => {
    await rig.service.longestDelay();
    await work();
    return await rig.service.longestDelay();
  };
  const importing = (build: Build, megabytes?: number) =>
    inParts({ limit: FILE, megabytes }, build, async (part) => {
      const { state, failure } = await rig.importFrom(() => part);
      expect([state, failure?.code]).not.toContain('internal');
    });

  it.each(Object.keys(HOSTILE) as Format[])('beside imports of %s', async (format) => {
    await compare(
      measure,
      () => importing(HONEST[format], HONEST_MEGABYTES),
      works(HOSTILE[format], (build) => importing(build)),
    );
  });

  it('beside live reading', async () => {
    const live =
      (kind: string, answers: (content: string) => ShopAnswers) => (build: Build, megabytes?: number) =>
        inParts({ limit: FILE, megabytes }, build, async (content) => {
          const { state } = await rig.importFrom(answers(content), kind);
          expect(['done', 'failed']).toContain(state);
        });
    const shopify = live(
      'shopify',
      (content) => (path) => (path.includes('page=1') ? content : '{"products":[]}'),
    );
    const woo = live('woocommerce', (content) => (path) => (path.includes('page=1') ? content : '[]'));
    const sitemap = live('sitemap', (content) => (path) => (path === '/sitemap.xml' ? content : undefined));
    const named = (
      of: string,
      shapes: Readonly<Record<string, Build>>,
      run: (build: Build) => Promise<unknown>,
    ) =>
      Object.fromEntries(Object.entries(shapes).map(([name, build]) => [`${of}: ${name}`, () => run(build)]));
    await compare(measure, () => shopify(HONEST.json, HONEST_MEGABYTES), {
      ...named('Shopify', HOSTILE.json, shopify),
      ...named('WooCommerce', HOSTILE.json, woo),
      ...named('sitemap', HOSTILE.xml, sitemap),
    });
  });

  const put = async (type: string, body: Iterable<string>) => {
    const sent = request(rig.service.url + rig.productsPath, {
      method: 'PUT',
      headers: { 'content-type': type, authorization: `Bearer ${rig.service.operatorKey}` },
    });
    const answered = once(sent, 'response');
    // a refusal may come before everything is sent
    sent.on('error', () => {});
    Readable.from(body).pipe(sent);
    const [response] = (await answered) as [Readable & { statusCode: number }];
    await text(response).catch(() => '');
    expect(response.statusCode).toBeLessThan(500);
  };
  const row = (n: number) =>
    `{"externalProductId":"${n}","name":"Cup ${n}","url":"http://shop0.example/p/${n}","images":[{"url":"https://cdn.example/${n}.jpg"}]}`;
  const LINES: Readonly<Record<string, (n: number) => string>> = {
    members: (n) => `{${Array.from({ length: 80_000 }, (_, k) => `"k${n}${k}":1`).join()}}`.slice(0, 999_000),
    values: () => `[${'1,'.repeat(490_000)}1]`,
    brackets: () => '['.repeat(499_000) + ']'.repeat(499_000),
    'small rows of many members': (n) =>
      `{${Array.from({ length: 5_000 }, (_, k) => `"k${n}${k}":1`).join()}}`,
    'one long text': () => `"${'x'.repeat(990_000)}"`,
    'many images': (n) =>
      `{"externalProductId":"${n}","name":"C","url":"http://shop0.example/p","images":[${'{"url":"x"},'.repeat(1_600)}{}]}`,
    'empty lines': () => '\n'.repeat(10_000),
  };
  const lines = function* (line: (n: number) => string, megabytes: number) {
    for (let n = 0, sent = 0; sent < megabytes * MB; n += 1) {
      const next = `${line(n)}\n`;
      sent += next.length;
      yield next;
    }
  };

  it('beside rows as NDJSON', async () => {
    const send =
      (line: (n: number) => string, megabytes = MEGABYTES) =>
      () =>
        put('application/x-ndjson', lines(line, megabytes));
    await compare(
      measure,
      send(row, HONEST_MEGABYTES),
      Object.fromEntries(Object.entries(LINES).map(([name, line]) => [name, send(line)])),
    );
  });

  it('beside rows as JSON', async () => {
    const batch = (n: number) => `[${Array.from({ length: 900 }, (_, k) => row(n * 900 + k)).join()}]`;
    // honest batches are smaller than hostile ones: as many bytes, in more requests
    const honest = async () => {
      for (let n = 0, sent = 0; sent < HONEST_MEGABYTES * MB; n += 1) {
        const body = batch(n);
        sent += body.length;
        await put('application/json', [body]);
      }
    };
    const send = (build: Build) => inParts({ limit: BODY }, build, (part) => put('application/json', [part]));
    // just below the limits of values
    const rows =
      (inside: (n: number) => string): Build =>
      () =>
        `[${Array.from({ length: 120 }, (_, n) => `{${inside(n)}}`).join()}]`;
    const members = (n: number) => Array.from({ length: 990 }, (_, k) => `"k${n}-${k}":1`).join();
    await compare(measure, honest, {
      ...works(HOSTILE.json, send),
      ...works(
        {
          'rows of many members': rows(members),
          'rows of many images': rows((n) => `"images":[${'{"url":"x"},'.repeat(600)}{"url":"${n}"}]`),
          'rows in rows': rows((n) => `"a":{${members(n)}}`),
        },
        send,
      ),
    });
  });
});

describe('the event loop of a process', { timeout: TIMEOUT }, () => {
  const delays = monitorEventLoopDelay({ resolution: 10 });
  const pool = openShopThreads(2, () => {});
  afterAll(() => pool.destroy());
  const measure: Measure = async (work) => {
    delays.enable();
    delays.reset();
    await work();
    return delays.max / 1e6;
  };
  const gid = (type: string, n: number) => `gid://shopify/${type}/${n}`;
  const product = (n: number, more = '') =>
    `{"id":"${gid('Product', n + 1)}","legacyResourceId":"${n + 1}","handle":"cup-${n}","title":"Cup ${n}"${more}}\n`;
  const repeated =
    (line: (n: number) => string): Build =>
    (bytes) => {
      const parts: string[] = [];
      for (let n = 0, size = 0; size < bytes; n += 1) {
        const next = line(n);
        parts.push(next);
        size += next.length;
      }
      return parts.join('');
    };

  it('beside Shopify’s bulk files', async () => {
    const read = (build: Build) => {
      const bytes = Buffer.from(build(MEGABYTES * MB));
      return async () => {
        const chunks = async function* () {
          // copies, since they are transferred to the thread
          for (let at = 0; at < bytes.length; at += 65_536)
            yield new Uint8Array(bytes.subarray(at, at + 65_536));
        };
        const batches = readBulk(
          pool,
          { storefront: 'https://shop.example' },
          chunks(),
          new AbortController().signal,
        );
        try {
          for await (const batch of batches) expect(batch.whole.length + batch.parts.length).toBeLessThan(51);
        } catch (error) {
          expect(error).toMatchObject({ name: 'BrokenFile' });
        }
      };
    };
    const many = (n: number, count: number) =>
      `,${Array.from({ length: count }, (_, k) => `"k${n}-${k}":1`).join()}`;
    await compare(measure, read(repeated((n) => product(n))), {
      'lines of many members': read(repeated((n) => product(n, many(n, 60_000)))),
      'lines of some members': read(repeated((n) => product(n, many(n, 1_000)))),
      'one line': read((bytes) => 'x'.repeat(bytes)),
      'parts of products': read(
        repeated((n) => `{"id":"${gid('MediaImage', n)}","__parentId":"${gid('Product', n + 1)}"}\n`),
      ),
      'images of one product': read(
        repeated((n) => `{"id":"${gid('MediaImage', n)}","__parentId":"${gid('Product', 1)}"}\n`),
      ),
      brackets: read(repeated(() => `${'['.repeat(400_000)}${']'.repeat(400_000)}\n`)),
      'empty lines': read(repeated(() => '\n')),
    });
  });

  it('beside webhooks', async () => {
    const receive = (build: Build) => () =>
      inParts({ limit: 4.9 }, build, (part) => readWebhook(pool, Buffer.from(part)));
    const variants: Build = (bytes) =>
      `{"id":1,"variants":[${repeated((n) => `{"id":${n},"sku":"S-${n}","barcode":null,"title":"Variant ${n}"},`)(bytes)}{}]}`;
    await compare(measure, receive(variants), {
      ...works(HOSTILE.json, (build) => receive(build)()),
    });
  });
});
