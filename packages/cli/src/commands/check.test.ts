import { PAGE_VERDICTS } from '@touchstone/page';
import { afterEach, describe, expect, it } from 'vitest';
import { EXIT_OF_VERDICT } from '../cli-error.ts';
import { type Answer, type LoopbackServer, loopbackServer, pageCheckReport, runCli } from '../testing.ts';

const REPORT = pageCheckReport('https://shop.example/cup', undefined);
const { product_id: PRODUCT_ID } = REPORT.mc4p;

let server: LoopbackServer;
afterEach(() => server.close());

async function check(answer: Answer, ...more: string[]) {
  server = await loopbackServer(() => answer);
  return runCli(['check', 'https://shop.example/cup', '--service', server.url, ...more]);
}

describe('touchstone check', () => {
  it.each(PAGE_VERDICTS)('exits with the code of %s and prints it first', async (verdict) => {
    const { code, out } = await check({ body: { ...REPORT, verdict } });
    expect(code).toBe(EXIT_OF_VERDICT[verdict]);
    expect(out).toMatch(/^[A-Z ]+ {2}https:\/\/shop\.example\/cup\n/);
    for (const part of ['landed on', PRODUCT_ID, 'shop.example', 'Cup', 'f: Finding.', REPORT.id])
      expect(out).toContain(part);
  });

  it('sends the specified request, and prints the report unchanged', async () => {
    const ran = await check({ body: { ...REPORT, verdict: 'verified' } }, '--fresh', '--json');
    expect(server.asked[0]).toMatchObject({ method: 'POST', path: '/api/v1/mc4p/page-checks' });
    expect(JSON.parse(server.asked[0]?.body ?? '')).toEqual({
      url: 'https://shop.example/cup',
      freshness: 'fresh',
    });
    expect(ran.json()).toEqual({ ...REPORT, verdict: 'verified' });
  });

  it.each([
    ['host_unknown: The host name does not exist or has no address.', 'spelling'],
    ['port_blocked: Pages are fetched from the ports for http and https only: port 8443', 'public'],
    ['http_status: The host did not answer with a page: status 404', 'no page at this address'],
    ['http_status: The host did not answer with a page: status 403', 'block automated clients'],
  ])('says what would help if a page was not fetched: %s', async (error, next) => {
    const { out } = await check({ body: { ...REPORT, verdict: 'page_fetch_failed', errors: [error] } });
    expect(out).toMatch(new RegExp(`\\nNext: .*${next}.*\\n$`));
  });

  describe.each([
    ['redirected_to_another_host', 'https://genuine.example/cup'],
    ['redirected_to_another_page', 'https://shop.example/seller/cup'],
  ])('of another page than the requested one (%s)', (warning, landing) => {
    const landed = (verdict: string) => ({
      ...REPORT,
      verdict,
      final_url: landing,
      warnings: [`${warning}: It redirects: ${landing}`],
    });

    it('prints the final address first, and does not exit with success', async () => {
      const { code, out } = await check({ body: landed('verified') });
      expect(code).toBe(3);
      expect(out.startsWith(`ANOTHER PAGE  ${landing}\n`)).toBe(true);
      expect(out).toMatch(/requested +https:\/\/shop\.example\/cup\n/);
      expect(out).toMatch(/\nNext: .*--follow-host/);
    });

    it('exits with success with --follow-host, and still reports it', async () => {
      const { code, out } = await check({ body: landed('verified') }, '--follow-host');
      expect(code).toBe(0);
      expect(out.startsWith(`VERIFIED  ${landing}\n`)).toBe(true);
      expect(out).toContain(warning);
    });

    it.each(PAGE_VERDICTS.filter((verdict) => verdict !== 'verified'))('stays %s', async (verdict) => {
      expect((await check({ body: landed(verdict) })).code).toBe(EXIT_OF_VERDICT[verdict]);
    });
  });

  it('does not take an unknown verdict for success', async () => {
    for (const body of [{ ...REPORT, verdict: 'splendid' }, {}, [], { ...REPORT, verdict: 'toString' }]) {
      const { code, out } = await check({ body });
      expect([code, out]).toEqual([3, '']);
    }
  });

  it('reports what the service refuses: 429 is not a verdict', async () => {
    const body = {
      title: 'Too many',
      status: 429,
      detail: 'At most 10 fresh page checks a minute.',
      code: 'fresh_rate_limited',
    };
    const { code, err } = await check({ status: 429, headers: { 'retry-after': '12' }, body }, '--fresh');
    expect(code).toBe(3);
    expect(err).toContain('Try again in 12 s.');
  });
});
