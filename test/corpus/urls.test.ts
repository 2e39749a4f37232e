import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { hostOf, normalizeHost } from '@touchstone/certificate/binding';
import { createPageFetcher } from '@touchstone/fetch';
import { describe, expect, it } from 'vitest';
import { type Asked, inParallel } from '../stress/support/client.ts';
import { type Answer, json } from '../stress/support/contract.ts';
import { session } from '../stress/support/session.ts';

const corpora = process.env.TOUCHSTONE_CORPORA ?? join(import.meta.dirname, '../../../shared/corpora');
const isThere = existsSync(join(corpora, 'url'));

interface HostCase {
  readonly input: string;
  readonly output: string | null;
}

function cases<T extends object>(file: string): T[] {
  if (!isThere) return [];
  const list = JSON.parse(readFileSync(join(corpora, 'url', file), 'utf8')) as (T | string)[];
  return list.filter((entry): entry is T => typeof entry === 'object');
}

const HOSTS = [...cases<HostCase>('toascii.json'), ...cases<HostCase>('IdnaTestV2.json')];
const SSRF = isThere
  ? readFileSync(join(corpora, 'ssrf-urls/urls.txt'), 'utf8')
      .split('\n')
      .filter((line) => line !== '')
  : [];
const URLS = [
  ...cases<{ input: string }>('urltestdata.json').map(({ input }) => input),
  ...HOSTS.map(({ input }) => `https://${input}/`),
  ...SSRF,
];

/** Returns a function that finds the host to which a fetch of an address would go; null if it goes nowhere. */
function openFetches(): (url: string) => Promise<string | null> {
  let asked: string | null = null;
  const fetcher = createPageFetcher({
    userAgent: 'test',
    ports: Array.from({ length: 65_535 }, (_, port) => port + 1),
    resolver: {
      async resolve(host) {
        asked = host;
        return { kind: 'unknown' };
      },
    },
    onDial: (address) => {
      asked = address;
    },
    dialer: () => {
      throw new Error('nothing is dialled here');
    },
  });
  return async (url) => {
    asked = null;
    await fetcher.fetch(url).catch(() => null);
    return asked;
  };
}

describe.skipIf(!isThere)('the URL corpora', () => {
  const here = session('addresses');

  async function send(method: string, path: string, body: unknown): Promise<Answer> {
    const headers = {
      authorization: `Bearer ${here.world.service.operatorKey}`,
      'content-type': 'application/json',
    };
    const asked: Asked = { method, path: `/api/v1/${path}`, headers, body: JSON.stringify(body) };
    const answer = await here.ask(asked);
    return answer;
  }

  it('contain thousands of URLs', () => {
    expect(HOSTS.length).toBeGreaterThan(2_500);
    expect(SSRF.length).toBeGreaterThan(150);
    expect(URLS.length).toBeGreaterThan(3_500);
  });

  it('have the hosts of the URL standard, without one trailing dot', () => {
    const odd: string[] = [];
    for (const { input, output } of HOSTS) {
      const found = normalizeHost(input);
      const wanted = output?.endsWith('.') ? output.slice(0, -1) : output;
      // more than a hostname, or with an empty label: not a domain
      const isNone =
        wanted === null ||
        wanted === undefined ||
        wanted === '' ||
        wanted.split('.').includes('') ||
        /[/\\?#@:\s%[\]]/.test(input);
      if (found !== (isNone ? null : wanted)) odd.push(`${JSON.stringify(input)}: ${found}, not ${wanted}`);
    }
    expect(odd).toEqual([]);
  });

  it('are fetched from the host that the binding names, or not at all: guard, fetch and comparison never differ', async () => {
    const differ: string[] = [];
    let compared = 0;
    const fetchedHost = openFetches();
    for (const url of URLS) {
      const bound = hostOf(url);
      const fetched = await fetchedHost(url);
      if (fetched === null) continue;
      compared += 1;
      if (bound?.replace(/^\[|\]$/g, '') !== fetched)
        differ.push(`${JSON.stringify(url)}: bound to ${bound}, fetched from ${fetched}`);
    }
    expect(differ).toEqual([]);
    expect(compared).toBeGreaterThan(500);
  });

  it('as the address of a store claim the host that the binding names, or are refused', async () => {
    const { merchantId } = here.world.mine;
    await inParallel(URLS, 8, async (url) => {
      const answer = await send('POST', 'registry/stores', { merchantId, name: 'S', url });
      expect([201, 409, 422], `${url} ${answer.body}`).toContain(answer.status);
      if (answer.status !== 201) return;
      const [domain] = json(answer).domains as { hostname: string }[];
      expect(domain?.hostname).toBe(hostOf(url));
      // a domain can be given again as a bare hostname, and is then the same one
      expect(normalizeHost(domain?.hostname ?? '')).toBe(domain?.hostname);
    });
  });

  it("as a product page are accepted only if their host is the store's", async () => {
    for (let start = 0; start < URLS.length; start += 500) {
      const rows = URLS.slice(start, start + 500).map((url, index) => ({
        externalProductId: `u${start + index}`,
        name: 'N',
        url,
      }));
      const answer = await send('PUT', `registry/stores/${here.world.mine.storeId}/products`, rows);
      expect(answer.status).toBe(200);
      for (const [index, { status }] of (json(answer).results as { status: string }[]).entries()) {
        if (status !== 'error') expect(hostOf(rows[index]?.url ?? '')).toBe('mine.example');
      }
    }
  });

  it('as the page of a verification are judged, and none of them is the signed page', async () => {
    const { id } = here.world.mine.products[0] ?? {};
    const certificate = await here.world.operate('GET', `/api/v1/mc4p/products/${id}/certificate`);
    await inParallel(URLS, 8, async (productUrl) => {
      const answer = await send('POST', `mc4p/products/${id}/verify`, { productUrl, document: certificate });
      // a lone surrogate is rejected in a JSON field
      expect([200, 422]).toContain(answer.status);
      if (answer.status !== 200)
        expect(productUrl.isWellFormed() && !productUrl.includes('\u0000')).toBe(false);
      else expect(json(answer).status).toBe('failed');
    });
  });

  it('as a page to check are looked up or refused, and never reach a private network', async () => {
    await inParallel(URLS, 12, async (url) => {
      const answer = await send('POST', 'mc4p/page-checks', { url });
      expect([200, 422], `${url} ${answer.body}`).toContain(answer.status);
      if (answer.status === 200) expect(json(answer).verdict).toBe('page_fetch_failed');
    });
  });
});
