import { CONCLUSION_TABLE } from '@touchstone/certificate';
import { ITEM_CODES, ITEM_CONCLUSION_TABLE } from '@touchstone/certificate/item';
import type { Frame } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { VERDICT_CARD } from '../../packages/mcp/src/verdict-card.ts';
import { en } from '../../packages/web/src/text/en.ts';
import { es } from '../../packages/web/src/text/es.ts';
import type { Texts } from '../../packages/web/src/text/texts.ts';
import {
  axeFindings,
  look,
  NO_BROWSER,
  type OpenPage,
  openBrowser,
  overflowsSideways,
  type TestBrowser,
} from './support/browser.ts';
import { hostPage, NO_APPS, openCard, tell } from './support/card-host.ts';
import { CONCLUDED_REPORTS } from './support/concluded-reports.ts';
import { HOSTILE_PARTS } from './support/hostile-strings.ts';

const TONES = { good: 'good', caution: 'caution', bad: 'bad', none: 'neutral' } as const;
/** Conclusions without a registry, for which the card keeps the service's sentence. */
const OFFLINE = [
  'control_unknown',
  'keys_unavailable',
  'log_proof_invalid',
  'log_required',
  'place_unknown',
  'withdrawal_unknown',
];

it('the card has at most 30 KB, and names no address to fetch', () => {
  expect(Buffer.byteLength(VERDICT_CARD)).toBeLessThanOrEqual(30 * 1024);
  const addresses = VERDICT_CARD.match(/[a-z]+:\/\/\w[^"'`\s]*|\b(?:src|href|action)=/gi) ?? [];
  // a namespace, which nobody fetches
  expect(addresses).toEqual(['http://www.w3.org/2000/svg']);
});

describe.skipIf(NO_BROWSER !== null || NO_APPS !== null)(
  'the card, in a client by the library of the protocol',
  () => {
    let browser: TestBrowser;
    let host: string;
    const opened: OpenPage[] = [];

    beforeAll(async () => {
      [browser, host] = await Promise.all([openBrowser('http://127.0.0.1'), hostPage()]);
    });
    afterAll(async () => {
      await browser?.close();
    });

    interface Card {
      readonly open: OpenPage;
      readonly frame: Frame;
    }

    async function card(
      context: { readonly theme?: 'light' | 'dark'; readonly locale?: string } = {},
    ): Promise<Card> {
      const open = await browser.open('about:blank', { size: 'phone' });
      opened.push(open);
      await open.page.setContent(host);
      return { open, frame: await openCard(open.page, VERDICT_CARD, context) };
    }

    async function show({ open: { page }, frame }: Card, structuredContent: unknown, isError = false) {
      await tell(page, 'sendToolResult', {
        content: [{ type: 'text', text: 'x' }],
        structuredContent,
        isError,
      });
      await frame.locator('article[data-conclusion]:not([data-conclusion=waiting])').first().waitFor();
      return told(frame);
    }

    const told = async (frame: Frame) => ({
      tones: await frame
        .locator('article')
        .evaluateAll((all) => all.map((one) => one.getAttribute('data-tone'))),
      codes: await frame
        .locator('article')
        .evaluateAll((all) => all.map((one) => one.getAttribute('data-conclusion'))),
      titles: await frame.locator('h1').allTextContents(),
      text: await frame.locator('body').innerText(),
    });

    async function expectSound({ open, frame }: Card, name: string, view: string) {
      await look(open.page, `card ${name}`, view);
      expect(await axeFindings(frame)).toEqual([]);
      expect(await overflowsSideways(open.page)).toBe(false);
      open.expectClean();
    }

    /** A text of the pages, whatever stands for what it names. */
    const like = (text: string) =>
      new RegExp(
        text
          .split(/\{\w+\}/)
          .map((part) => part.replace(/[.*+?^$()[\]\\|]/g, '\\$&'))
          .join('.+'),
      );
    const wordsOf = ({
      conclusions,
      card: { items },
    }: Texts): Readonly<
      Record<string, { readonly title: string; readonly meaning: string; readonly next: string }>
    > => ({ ...conclusions, ...items });

    const VIEWS = [
      ['light', 'en-GB', en],
      ['dark', 'es-MX', es],
    ] as const;

    it.each(VIEWS)(
      'says of each conclusion about a page what the page says: %s, %s',
      async (theme, locale, texts) => {
        const shown = await card({ theme, locale });
        const seen = new Set<unknown>();
        for (const [code, report] of CONCLUDED_REPORTS) {
          const { tones, codes, titles, text } = await show(shown, report);
          const { level, sentence } = CONCLUSION_TABLE.find((row) => row.code === code) ?? {};
          expect([code, codes, tones]).toEqual([code, [code], [TONES[level ?? 'none']]]);
          const words = OFFLINE.includes(code) ? [sentence] : [wordsOf(texts)[code]?.title];
          expect(titles[0]).toMatch(like(words[0]?.replaceAll('{expired}', '{x}') ?? ''));
          if (!OFFLINE.includes(code)) expect(text).toMatch(like(wordsOf(texts)[code]?.next ?? ''));
          await look(shown.open.page, `card ${code}`, theme);
          expect(await overflowsSideways(shown.open.page)).toBe(false);
          // accessibility by the four marks, which takes long to find out
          if (!seen.has(level)) await expectSound(shown, code, theme);
          seen.add(level);
        }
        expect(await shown.frame.locator('html').getAttribute('lang')).toBe(locale.slice(0, 2));
      },
    );

    const item = (code: string, level: string, fields = {}) => ({
      result: {
        status: level === 'bad' ? 'failed' : 'verified',
        conclusion: { code, level, sentence: 'The sentence of the service.' },
        signed: {
          domain: 'kilnhouse.example',
          productName: 'Pot',
          storeName: 'Kiln House',
          expiresAt: '2026-03-08T12:00:00.000Z',
        },
        item: { name: 'Pot number 6', link: 'https://kilnhouse.example/pot' },
        fields: { name: { result: 'agrees' }, ...fields },
        notCompared: [],
      },
    });

    it.each(VIEWS)(
      'says of each item what is concluded, and what differs: %s, %s',
      async (theme, locale, texts) => {
        const shown = await card({ theme, locale });
        const rows = ITEM_CONCLUSION_TABLE.filter(({ code }) => ITEM_CODES.includes(code));
        const differing = { gtin: { result: 'differs', signed: '4006381333931', stated: '4006381333948' } };
        const results = [
          ...rows.map(({ code, level }) => item(code, level, differing)),
          { error: { code: 'item_unreadable', message: 'No item.' } },
        ];
        const { tones, titles, text } = await show(shown, { results });
        expect(tones).toEqual([...rows.map(({ level }) => TONES[level]), 'neutral']);
        expect(tones).not.toContain('good');
        for (const [at, { code }] of rows.entries())
          expect(titles[at]).toMatch(like(wordsOf(texts)[code]?.title ?? ''));
        for (const part of ['4006381333931', '4006381333948', 'No item.']) expect(text).toContain(part);
        await expectSound(shown, 'items', theme);
      },
    );

    const [, GOOD] = CONCLUDED_REPORTS.find(([code]) => code === 'issued_to_proven_host') ?? [];

    it('is never greener than the verdict', async () => {
      const shown = await card();
      const report = {
        ...GOOD,
        conclusion: { code: 'issued_to_proven_host', level: 'good', sentence: 'Good.' },
      };
      expect((await show(shown, report)).tones).toEqual(['good']);
      for (const lie of [
        { ...report, verdict: 'failed' },
        { ...report, conclusion: { ...report.conclusion, code: 'another_host' } },
        { ...report, conclusion: { ...report.conclusion, code: 'of_a_newer_service' } },
        { ...report, conclusion: { ...report.conclusion, level: 'splendid' } },
        { ...report, conclusion: { ...report.conclusion, level: 'constructor' } },
        { ...report, conclusion: undefined },
        { results: [item('item_agrees', 'good')] },
        { mc4p: null },
        { results: [null] },
        [],
        'good',
        null,
      ])
        expect([lie, (await show(shown, lie)).tones]).toEqual([lie, ['neutral']]);
      expect((await show(shown, report, true)).tones).toEqual(['neutral']);
      const fault = await show(shown, { error: { code: 'fresh_rate_limited', message: 'Too many.' } }, true);
      expect([fault.codes, fault.titles]).toEqual([['fresh_rate_limited'], [en.card.failed]]);
      expect(fault.text).toContain('Too many.');
    });

    it('shows what a page and a shop state as text', async () => {
      for (const text of HOSTILE_PARTS) {
        const shown = await card({ locale: 'es' });
        const { text: seen } = await show(shown, {
          ...GOOD,
          final_url: text,
          conclusion: { code: text, level: 'bad', sentence: text },
          related: [{ host: text, provenSince: text }],
          mc4p: {
            ...GOOD?.mc4p,
            signed: {
              ...GOOD?.mc4p.signed,
              domain: text,
              productName: text,
              storeName: text,
              expiresAt: text,
            },
          },
        });
        expect(seen).not.toMatch(/[\u202e\u2066\u200b]/);
        expect(await shown.frame.locator('script, img, a, iframe, object, form').count()).toBe(0);
        expect(await shown.frame.evaluate('globalThis.ran')).toBeUndefined();
        await expectSound(shown, 'hostile', 'light');
      }
    });

    it('follows the client: its colours and language change, it cancels and ends', async () => {
      const shown = await card({ theme: 'light' });
      const {
        open: { page },
        frame,
      } = shown;
      expect((await told(frame)).titles).toEqual([en.card.waiting]);
      const colour = () => frame.evaluate('getComputedStyle(document.body).backgroundColor');
      const light = await colour();
      await tell(page, 'setHostContext', { theme: 'dark', locale: 'es' });
      await frame.locator('html[lang=es]').waitFor();
      expect(await colour()).not.toBe(light);
      await tell(page, 'sendToolCancelled', { reason: 'user action' });
      await frame.getByText(es.card.cancelled).waitFor();
      await expectSound(shown, 'cancelled', 'dark');
      const height = await page.evaluate("document.querySelector('iframe').clientHeight");
      expect(height).toBe(
        await frame.evaluate('Math.ceil(document.documentElement.getBoundingClientRect().height)'),
      );
      expect(await tell(page, 'teardownResource', {})).toEqual({});
    });

    it('hears nobody but its client', async () => {
      const shown = await card();
      const params = { structuredContent: { ...GOOD } };
      await shown.frame.evaluate(
        `postMessage(${JSON.stringify({ jsonrpc: '2.0', method: 'ui/notifications/tool-result', params })}, '*')`,
      );
      await shown.frame.evaluate(
        'new Promise((resolve) => { addEventListener("message", resolve); postMessage(0, "*"); })',
      );
      expect((await told(shown.frame)).codes).toEqual(['waiting']);
    });
  },
);
