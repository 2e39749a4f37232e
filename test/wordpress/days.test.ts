import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openScene, type Scene } from './scene.ts';
import { HOST, whyNoWordPress } from './site.ts';

const HOUR = 3_600;
/** Hours since the shop was connected at which it works and its pages are checked: daily at first, then every six hours. */
const HOURS = [24, 48, ...Array.from({ length: 17 }, (_, nth) => 54 + 6 * nth)];
/** By then every certificate has been renewed once. */
const REVOCATION = 114;
/** The plugin asks once a day while nothing is about to end, and is told by a webhook before that. */
const WINDOW = 24;
const NAMES = ['one', 'two', 'three', 'four', 'five'];

/** What the stand-in of the plugin does in the thirty days of test/publishing, here by the plugin itself, for six of them. */
describe.skipIf(whyNoWordPress() !== null)('six days of a WordPress shop', () => {
  let scene: Scene;
  const products = new Map<string, number>();
  beforeAll(async () => {
    scene = await openScene({ settings: { TOUCHSTONE_PAGE_CACHE_SECONDS: '0' } });
  });
  afterAll(() => scene?.close());

  const save = async (name: string) => {
    products.set(name, await scene.save({ post_title: `Cup ${name}`, post_name: name }, { _price: '5' }));
  };
  const verdictOf = async (name: string): Promise<string> => {
    const answer = await fetch(`${scene.service.url}/api/v1/mc4p/page-checks`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ url: `http://${HOST}/product/${name}/` }),
    });
    return String(((await answer.json()) as { verdict?: unknown }).verdict);
  };
  const proofOf = async (name: string) => {
    const { body } = await scene.site.get(`/product/${name}/`);
    return /"jwt":"([^"]+)"/.exec(body)?.[1];
  };
  /** The plugin's hour has come. */
  const work = async (hours: number) => {
    scene.setDaysBehind(-hours / 24);
    await scene.site.evaluate(
      `update_option( 'touchstone_clock_ahead', ${hours * HOUR} ); do_action( 'touchstone_hourly' );`,
    );
    await scene.runJobs();
  };
  const revoke = async () => {
    const { keys } = (await scene.service.operate('GET', '/api/v1/registry/signing-keys')) as {
      keys: { kid: string; state: string; purpose: string }[];
    };
    const active = keys.find(({ state, purpose }) => state === 'active' && purpose === 'proofs');
    await scene.service.operate('POST', `/api/v1/registry/signing-keys/${active?.kid}/revoke`);
  };

  it('no page is expired or fails, over a renewal, a day without jobs and changes, but while a revoked key is replaced', async () => {
    for (const name of NAMES) await save(name);
    await scene.connect();
    await scene.runJobs();
    const first = new Map<string, string | undefined>();
    for (const name of NAMES) first.set(name, await proofOf(name));
    const bad: string[] = [];
    const felt: string[] = [];
    for (const hours of HOURS) {
      if (hours === 60) await save('new');
      if (hours === 72)
        await scene.save({ ID: products.get('one') as number, post_title: 'Cup one, another' });
      if (hours === 84) await scene.site.evaluate(`wp_trash_post( ${products.get('five')} );`);
      if (hours === 84) products.delete('five');
      // nobody visits, which is what WP-Cron runs by
      if (hours >= 90 && hours < 108) scene.setDaysBehind(-hours / 24);
      else await work(hours);
      if (hours === REVOCATION) {
        for (const name of products.keys())
          expect([name, await proofOf(name)]).not.toEqual([name, first.get(name)]);
        await revoke();
      }
      for (const name of products.keys()) {
        const verdict = await verdictOf(name);
        if (verdict === 'verified') continue;
        const told = `${hours} ${name} ${verdict}`;
        (hours >= REVOCATION && hours < REVOCATION + WINDOW ? felt : bad).push(told);
      }
    }
    expect(bad).toEqual([]);
    expect(felt.filter((told) => told.startsWith(`${REVOCATION} `))).toHaveLength(products.size);
    expect(await verdictOf('five')).not.toBe('verified');
    expect(scene.site.complaints()).toEqual([]);
  }, 300_000);
});
