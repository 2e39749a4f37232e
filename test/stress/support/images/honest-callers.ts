import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'vitest';
import type { Client } from '../client.ts';

/** A product that honest callers request, with the document on its page. */
export interface Asked {
  readonly id: string;
  readonly url: string;
  readonly document: unknown;
}

export const CALLS = ['GET certificate', 'POST verify', 'check of a page'] as const;
/** Milliseconds of each response. */
export type Times = Readonly<Record<(typeof CALLS)[number], number[]>>;

/** Makes one call after the other; a missing or unexpected response fails the test. */
export interface HonestCallers {
  /** All calls about one product, in turns, until told to stop. */
  keepAsking(product: Asked, until: () => boolean): Promise<Times>;
  certificate(productId: string): Promise<unknown>;
  /** Checks a page together with its images; returns the codes of the findings about them. */
  checkImages(url: string): Promise<readonly string[]>;
}

export function honestCallers(client: Client): HonestCallers {
  const ask = async (method: string, path: string, body: unknown, expected: RegExp) => {
    const headers = { 'content-type': 'application/json' };
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const answer = await client.ask({ method, path: `/api/v1/mc4p${path}`, headers, ...sent });
    const text = answer.body.toString();
    expect([answer.status, text]).toEqual([200, expect.stringMatching(expected)]);
    return { ms: answer.ms, text };
  };
  const get = (id: string) => ask('GET', `/products/${id}/certificate`, undefined, /"proof"/);
  const check = (body: object) => ask('POST', '/page-checks', body, /"verdict":"verified"/);
  return {
    async keepAsking({ id, url, document }, until) {
      const times: Times = { 'GET certificate': [], 'POST verify': [], 'check of a page': [] };
      const request = { productUrl: url, document };
      while (!until()) {
        times['GET certificate'].push((await get(id)).ms);
        const verified = await ask('POST', `/products/${id}/verify`, request, /"status":"verified"/);
        times['POST verify'].push(verified.ms);
        times['check of a page'].push((await check({ url })).ms);
        await delay(5);
      }
      return times;
    },
    certificate: async (id) => JSON.parse((await get(id)).text),
    async checkImages(url) {
      const { findings } = JSON.parse((await check({ url, images: 'match' })).text) as { findings: string[] };
      return findings
        .map((finding) => finding.split(':')[0] ?? '')
        .filter((code) => code.startsWith('image'));
    },
  };
}

export function median(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? Number.NaN;
}
