import { type CatalogueRow, type LiveBatch, readCatalogue, readLive } from '@touchstone/catalogue';
import { Credential } from '@touchstone/fetch/credential';
import { openInput } from '../files.ts';
import { nonEmpty } from '../settings.ts';
import { type ImportRun, isAddress } from './import-run.ts';
import { liveWeb, readProductPage } from './live-web.ts';

/** The catalogue in batches; an import can be resumed after each of them. */
export function batches(run: ImportRun, storeUrl: string | undefined): AsyncIterable<LiveBatch> {
  const { session, source, options, checkpoint, progress } = run;
  const { io } = session;
  const { rebase, shape, kind, interval } = options;
  const { after } = checkpoint;
  if (!isAddress(source)) {
    const reading = { storeUrl: storeUrl ?? '', rebase, ...(shape === undefined ? {} : { shape }) };
    return fileBatches(source, readCatalogue(openInput(source, io), reading), after?.position ?? 0);
  }
  const wooCommerceKey = nonEmpty(io.env.TOUCHSTONE_WOOCOMMERCE_KEY);
  // for the address that the user gave, wherever its front page leads
  const key =
    wooCommerceKey === undefined
      ? undefined
      : new Credential(source, { authorization: `Basic ${btoa(wooCommerceKey)}` });
  return readLive(source, {
    web: liveWeb(io),
    readPage: readProductPage,
    rebase,
    interval,
    ...(storeUrl === undefined ? {} : { storeUrl }),
    ...(kind === undefined ? {} : { kind }),
    ...(after === undefined ? {} : { after }),
    ...(key === undefined ? {} : { keyed: { origin: key.origin, web: liveWeb(io, key) } }),
    onWait: (reason, wait) => progress.remark(`(${reason} Again in ${Math.ceil(wait / 1000)} s)`),
  });
}

/** Rows of a file that are sent and recorded in the checkpoint together. */
const FILE_ROWS = 2_000;

async function* fileBatches(
  url: string,
  read: AsyncIterable<CatalogueRow>,
  after: number,
): AsyncGenerator<LiveBatch, void, undefined> {
  let rows: CatalogueRow[] = [];
  let position = 0;
  const batch = (): LiveBatch => ({ rows, cursor: { kind: 'document', url, position }, skipped: 0 });
  for await (const row of read) {
    position++;
    if (position <= after) continue;
    rows.push(row);
    if (rows.length < FILE_ROWS) continue;
    yield batch();
    rows = [];
  }
  if (rows.length > 0) yield batch();
}

export async function countProducts(read: AsyncIterable<LiveBatch>): Promise<number> {
  let products = 0;
  for await (const { rows } of read) products += rows.filter((row) => 'product' in row).length;
  return products;
}

/** External identifiers of a batch, including those of invalid rows: a bad row must not get its product deleted. */
export function identifiersOf({ rows }: LiveBatch): string[] {
  return rows.flatMap((row) => {
    const id = 'problem' in row ? row.problem.externalProductId : row.product.externalProductId;
    return id === undefined ? [] : [id];
  });
}

export const homeOf = ({ cursor }: LiveBatch): string =>
  cursor.kind === 'document' ? new URL(cursor.url).origin : cursor.url.replace(/\/+$/, '');
