import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FixedAnswer } from '../bare/fixed.ts';
import { costOf } from '../kit/cost.ts';
import { createClient, request } from '../kit/load.ts';
import { alternate, median, ratioOf } from '../kit/rounds.ts';
import { cost, type Row } from '../kit/row.ts';
import type { Bench, BenchContext } from '../kit/run.ts';
import { type Service, startBare, startService } from '../kit/server.ts';
import { addShop, certificatePath } from '../kit/shop.ts';

const ROUNDS = 100;
const CALLS = 500;
/** Certificates that a status list calls invalid. */
const WITHDRAWN = 2_000;

/** A cached certificate and its 304, and a status list, compared with node:http with the same bytes and headers. */
export const get: Bench = async (context) => {
  const { folder, onEnd } = context;
  const service = await startService({ folder: join(folder, 'service') });
  onEnd(service.close);
  const { productIds } = await addShop(service, 1, 2);
  const certificate = await compare(context, service, certificatePath(String(productIds[0])), '"proof"');
  const list = await compare(context, service, await withdrawnList(context, service), 'ey');
  return [
    row('GET of a warm certificate', certificate.bare, certificate.ours),
    row('GET of a warm certificate, 304', certificate.bare304, certificate.ours304),
    row(`GET of a status list, ${WITHDRAWN} withdrawn`, list.bare, list.ours),
  ];
};

function row(name: string, bare: readonly number[], ours: readonly number[]): Row {
  return {
    name,
    against: 'bare node:http, same bytes and headers',
    ratio: ratioOf(bare, ours),
    goal: ['>=', 0.85],
    detail: `CPU of an answer: ${cost(median(ours))}, bare ${cost(median(bare))}`,
  };
}

async function compare(context: BenchContext, service: Service, path: string, holds: string) {
  const answer = await fixedAnswer(service, path);
  const file = join(context.folder, 'answer.json');
  await writeFile(file, JSON.stringify(answer));
  const bare = await startBare('fixed.ts', file);
  context.onEnd(bare.close);
  const whole = [request('GET', path, { holds })];
  const condition = { headers: { 'if-none-match': answer.etag }, status: 304 };
  const unchanged = [request('GET', path, condition)];
  return await alternate(ROUNDS, {
    ours: costOf(context, service, whole, { calls: CALLS }),
    bare: costOf(context, bare, whole, { calls: CALLS }),
    ours304: costOf(context, service, unchanged, { calls: CALLS }),
    bare304: costOf(context, bare, unchanged, { calls: CALLS }),
  });
}

/** Withdraws certificates. @returns the path of the list that calls them invalid, once it does */
async function withdrawnList({ onEnd, tell }: BenchContext, service: Service): Promise<string> {
  const { storeId, productIds } = await addShop(service, WITHDRAWN);
  const client = createClient(service.port, 64);
  onEnd(async () => client.close());
  const ids = productIds.values();
  await client.load(() => {
    const id = ids.next().value;
    return id === undefined ? undefined : request('GET', certificatePath(id));
  });
  tell(`${WITHDRAWN} certificates are issued`);
  await service.call('DELETE', `/registry/stores/${storeId}`);
  for (;;) {
    const { lists, waiting } = (await service.call('GET', '/registry/status-lists')) as {
      readonly lists: readonly { readonly list: number; readonly withdrawn: number }[];
      readonly waiting: number;
    };
    const list = lists.find(({ withdrawn }) => withdrawn >= WITHDRAWN);
    if (list !== undefined && waiting === 0) return `/api/v1/mc4p/status/${list.list}`;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

async function fixedAnswer({ url }: Service, path: string): Promise<FixedAnswer> {
  const first = await fetch(url + path);
  const etag = first.headers.get('etag') ?? '';
  const body = await first.text();
  const second = await fetch(url + path, { headers: { 'if-none-match': etag } });
  return { headers: headersOf(first), notModifiedHeaders: headersOf(second), etag, body };
}

/** Headers that the service sets; those that node adds are also in the bare response. */
function headersOf({ headers }: Response): string[] {
  const ofNode = new Set(['date', 'connection', 'keep-alive']);
  return [...headers].filter(([name]) => !ofNode.has(name)).flat();
}
