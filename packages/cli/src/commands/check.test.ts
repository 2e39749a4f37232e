import { conclude, PAGE_VERDICTS, type PageVerdict } from '@touchstone/certificate';
import type { AgreementOutcome } from '@touchstone/certificate/agreement';
import { afterEach, describe, expect, it } from 'vitest';
import {
  AGREED,
  type Answer,
  EXIT_OF_VERDICT,
  type LoopbackServer,
  loopbackServer,
  pageCheckReport,
  runCli,
} from '../testing.ts';

const reportOf = (verdict: string) => pageCheckReport('https://shop.example/cup', verdict);
const REPORT = reportOf('verified');

let server: LoopbackServer;
afterEach(() => server.close());

type Reported = ReturnType<typeof reportOf>;
/** The report with the conclusion that follows from its changes. */
function concluded(report: Reported, agreement: AgreementOutcome = 'same'): Reported {
  const conclusion = conclude(report.verdict as PageVerdict, { ...report.mc4p, ...report, agreement });
  return { ...report, conclusion };
}

async function check(answer: Answer, ...more: string[]) {
  server = await loopbackServer(() => answer);
  return runCli(['check', 'https://shop.example/cup', '--service', server.url, ...more]);
}

describe('touchstone check', () => {
  it.each(PAGE_VERDICTS)('exits with the code of %s and prints it first', async (verdict) => {
    const report = reportOf(verdict);
    const { code, out } = await check({ body: report });
    expect(code).toBe(EXIT_OF_VERDICT[verdict]);
    expect(out).toMatch(/^[A-Z ]+ {2}https:\/\/shop\.example\/cup\n/);
    const { product_id: product = '' } = report.mc4p as { product_id?: string };
    for (const part of ['landed on', product, 'shop.example', 'Cup', 'f: Finding.', REPORT.id])
      expect(out).toContain(part);
  });

  it('sends the specified request, and prints the report unchanged', async () => {
    const ran = await check({ body: REPORT }, '--fresh', '--json');
    expect(server.asked[0]).toMatchObject({ method: 'POST', path: '/api/v1/mc4p/page-checks' });
    expect(JSON.parse(server.asked[0]?.body ?? '')).toEqual({
      url: 'https://shop.example/cup',
      freshness: 'fresh',
    });
    expect(ran.json()).toEqual(REPORT);
  });

  it('with --pictures tells where the pictures of the page are certified, below the verdict', async () => {
    const pictures = {
      id: REPORT.id,
      state: 'done',
      readAt: '2026-03-08T12:00:00.000Z',
      matches: [
        {
          host: 'shop.example',
          pictures: 2,
          of: 3,
          since: '2026-03-03T12:00:00.000Z',
          same: [],
          statement: '2 of 3 pictures of this page are certified for shop.example, first on 3 March 2026.',
          addresses: [],
        },
      ],
      findings: [{ code: 'pictures_unread', sentence: 'These could not be fetched.', pictures: 1 }],
    };
    server = await loopbackServer(({ path }) => ({ body: path.includes('/pictures') ? pictures : REPORT }));
    const words = ['check', 'https://shop.example/cup', '--pictures', '--service', server.url];
    const { code, out } = await runCli(words);
    expect(code).toBe(0);
    expect(server.asked[1]?.path).toBe(`/api/v1/mc4p/page-checks/${REPORT.id}/pictures?wait=20`);
    expect(out).toMatch(/\nPictures:\n {2}2 of 3 pictures of this page .*\n {2}pictures_unread: .* \(1\)\n$/);
    expect((await runCli([...words, '--json'])).json()).toEqual({ ...REPORT, pictures });
  });

  it.each([
    ['host_unknown: The host name does not exist or has no address.', 'spelling'],
    ['port_blocked: Pages are fetched from the ports for http and https only: port 8443', 'public'],
    ['http_status: The host did not answer with a page: status 404', 'no page at this address'],
    ['http_status: The host did not answer with a page: status 403', 'block automated clients'],
  ])('says what would help if a page was not fetched: %s', async (error, next) => {
    const { out } = await check({ body: { ...reportOf('page_fetch_failed'), errors: [error] } });
    expect(out).toMatch(new RegExp(`\\nNext: .*${next}.*\\n$`));
  });

  it.each([
    ['HOST UNPROVEN', '--accept-unproven', { domainVerified: false }, 'same'],
    ['ANOTHER PRODUCT SHOWN', '--ignore-page-facts', {}, 'different'],
  ] as const)('says %s first and exits with 3, or with 0 by %s', async (title, option, checks, outcome) => {
    const mc4p = { ...REPORT.mc4p, checks: { ...REPORT.mc4p.checks, ...checks } };
    const body = concluded({ ...REPORT, mc4p, agreement: { ...AGREED, outcome } }, outcome);
    const plain = await check({ body });
    expect([plain.code, plain.out.startsWith(`${title}  https://shop.example/cup\n`)]).toEqual([3, true]);
    expect(plain.out).toContain(option);
    await server.close();
    const accepted = await check({ body }, option);
    expect([accepted.code, accepted.out.startsWith(title)]).toEqual([0, true]);
  });

  it('accepts nothing else with one option: an unproven host that shows something else stays undecided', async () => {
    const mc4p = { ...REPORT.mc4p, checks: { ...REPORT.mc4p.checks, domainVerified: false } };
    const agreement = { ...AGREED, outcome: 'different' };
    const body = concluded({ ...REPORT, mc4p, agreement }, 'different');
    expect((await check({ body }, '--ignore-page-facts')).code).toBe(3);
    await server.close();
    expect((await check({ body }, '--ignore-page-facts', '--accept-unproven')).code).toBe(0);
  });

  it('does not call a certificate in a remote @context verified, even with --follow-host', async () => {
    const body = concluded({ ...REPORT, warnings: ['context_foreign: A remote @context.'] });
    const { code, out } = await check({ body }, '--follow-host');
    expect(code).toBe(3);
    expect(out.startsWith('FOREIGN CONTEXT  https://shop.example/cup\n')).toBe(true);
  });

  describe.each([
    ['redirected_to_another_host', 'https://genuine.example/cup'],
    ['redirected_to_another_page', 'https://shop.example/seller/cup'],
  ])('of another page than the requested one (%s)', (warning, landing) => {
    const landed = (verdict: PageVerdict) => {
      const report = reportOf(verdict);
      const warnings = [`${warning}: It redirects: ${landing}`, ...report.warnings];
      return concluded({ ...report, verdict, final_url: landing, warnings });
    };

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

  it.each<[string, object]>([
    ['is about another page', { url: 'https://shop.example/pot' }],
    ['was judged on another host, without the warning', { final_url: 'https://genuine.example/cup' }],
    ['was judged on another page, without the warning', { final_url: 'https://shop.example/pot' }],
    ['says verified of no certificate', { mc4p: { present: false } }],
    ['says verified of a failed status', { mc4p: { ...REPORT.mc4p, status: 'failed' } }],
    ['says verified without checks', { mc4p: { present: true, status: 'verified' } }],
    ['says verified of failed checks', { mc4p: { ...reportOf('checks_failed').mc4p, status: 'verified' } }],
    ['says verified and lists errors', { errors: ['url_differs: The proof was issued for another page.'] }],
  ])('exits with 3 for a report that %s: the service contradicts itself', async (_, change) => {
    const { code, out, err } = await check({ body: { ...REPORT, ...change } });
    expect([code, out]).toEqual([3, '']);
    expect(err).toMatch(/^error: No verdict: the service contradicts itself\. \S.*\.\n/);
    const asJson = await check({ body: { ...REPORT, ...change } }, '--json');
    expect(asJson.json()).toMatchObject({ error: { code: 'service_contradicts_itself' } });
    const landed = await check({ body: { ...REPORT, ...change } }, '--follow-host');
    expect(landed.code).toBe(3);
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
