import { afterEach, expect, it } from 'vitest';
import {
  createReadPool,
  DEFAULT_READ_POOL,
  type ReadPool,
} from '../../packages/server/src/core/page-checks/read-pool.ts';
import { memoryOf, resetPeak } from '../kit/processes.ts';

const LEAST = 'the memory of a thread that has read a small page';
const MOST_MEGABYTES = 150;
const URL_OF_PAGE = 'https://shop.example/p/1';
const BLOCK =
  '<script type="application/ld+json">{"@type":"Product","name":"Lamp","offers":{"price":1}}</script>';

let pool: ReadPool | undefined;
afterEach(() => pool?.close());

const bytes = (html: string) => new TextEncoder().encode(html).slice();

/** Peak memory of this process and its threads since the last reset, in megabytes. */
const peak = () => memoryOf('self', 'peak') / 2 ** 20;

it.skipIf(process.platform !== 'linux').each([
  ['5 MB of <p>', '<p>'.repeat(1_700_000), 'nodes_capped'],
  ['5 MB of short paragraphs', '<p>x'.repeat(1_250_000), 'nodes_capped'],
  ['40,000 nested elements', '<div>'.repeat(40_000), 'depth_capped'],
  ['10,000 JSON-LD blocks', BLOCK.repeat(10_000), 'json_ld_blocks_capped'],
  [
    '1 MB attributes',
    `<div class="${'x'.repeat(1_000_000)}" id="${'&amp;'.repeat(210_000)}">`,
    'attribute_cut',
  ],
  ['a million attributes', '<i a b c d e f=1>'.repeat(290_000), 'attributes_capped'],
])(`%s are read with a finding, in ${MOST_MEGABYTES} MB above ${LEAST}`, async (_, html, code) => {
  pool = createReadPool({ ...DEFAULT_READ_POOL, threads: 1, deadline: 30_000 });
  await pool.readPage(bytes('<h1>Lamp</h1><p>$5</p>'), { url: URL_OF_PAGE }, 'a');
  const body = bytes(html);
  resetPeak('self');
  const before = peak();
  const { findings } = await pool.readPage(body, { url: URL_OF_PAGE }, 'a');
  const grown = peak() - before;
  expect(findings.join()).toContain(`${code}:`);
  expect(grown).toBeLessThan(MOST_MEGABYTES);
});
