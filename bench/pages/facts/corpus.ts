import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';

/** Ground truth of one page: any value of a list is correct; an absent attribute is not on the page. */
export interface Truth {
  readonly url: string;
  readonly price?: readonly string[];
  readonly currency?: readonly string[];
  readonly availability?: readonly string[];
  readonly sku?: readonly string[];
  readonly brand?: readonly string[];
  /** Attributes whose absence is no error; those among them without a value are not judged. */
  readonly optional?: readonly string[];
}

export interface PageCase {
  readonly id: string;
  readonly url: string;
  readonly family: string;
  readonly truth: Truth;
  readonly html: () => Uint8Array;
}

/** One reader's answer, in plain values. */
export interface Answer {
  readonly price?: string;
  readonly currency?: string;
  readonly availability?: string;
  readonly sku?: string;
  readonly brand?: string;
}

/** The corpora folder: `TOUCHSTONE_CORPORA`, else `shared/corpora` beside the repository. */
export function corporaFolder(env: Readonly<Record<string, string | undefined>>): string | undefined {
  const folder = env.TOUCHSTONE_CORPORA ?? resolve(import.meta.dirname, '../../../shared/corpora');
  return existsSync(join(folder, 'product-pages/ground-truth.json')) ? folder : undefined;
}

export function readCases(corpora: string): PageCase[] {
  const folder = join(corpora, 'product-pages');
  const truths = readJson<Record<string, Truth>>(join(folder, 'ground-truth.json'));
  return Object.entries(truths).map(([id, truth]) => ({
    id,
    url: truth.url,
    family: familyOf(truth.url),
    truth,
    html: () => gunzipSync(readFileSync(join(folder, 'html', `${id}.html.gz`))),
  }));
}

export const PEERS = ['extruct', 'diffbot', 'zyte'] as const;

export function readPeer(corpora: string, peer: string): Record<string, Answer> {
  return readJson(join(corpora, 'product-pages/peers', `${peer}.json`));
}

export function readJson<T>(path: string): T {
  return JSON.parse(readFileSync(path, 'utf8')) as T;
}

const SECOND_LEVEL = new Set(['co', 'com', 'org', 'net', 'ac', 'gov']);

/** The name shared by sites of one owner: `amazon` of `www.amazon.co.uk`. */
export function familyOf(url: string): string {
  const labels = new URL(url).hostname.split('.');
  const at = labels.length >= 3 && SECOND_LEVEL.has(labels.at(-2) ?? '') ? -3 : -2;
  return labels.at(at) ?? url;
}

export type Half = 'A' | 'B';

/**
 * Splits the families into two halves of about as many pages: the largest first, each to the smaller half; ties are broken by name. Rules
 * are tuned on A and validated on B.
 */
export function halves(cases: readonly PageCase[]): ReadonlyMap<string, Half> {
  const sizes = new Map<string, number>();
  for (const { family } of cases) sizes.set(family, (sizes.get(family) ?? 0) + 1);
  const order = [...sizes].toSorted(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  const filled = { A: 0, B: 0 };
  const split = new Map<string, Half>();
  for (const [family, size] of order) {
    const half: Half = filled.A <= filled.B ? 'A' : 'B';
    filled[half] += size;
    split.set(family, half);
  }
  return split;
}
