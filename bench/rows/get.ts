import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FixedAnswer } from '../bare/fixed.ts';
import { costOf } from '../kit/cost.ts';
import { request } from '../kit/load.ts';
import { alternate, median, ratioOf } from '../kit/rounds.ts';
import { cost, type Row } from '../kit/row.ts';
import type { Bench } from '../kit/run.ts';
import { type Service, startBare, startService } from '../kit/server.ts';
import { addShop, certificatePath } from '../kit/shop.ts';

const ROUNDS = 100;
const CALLS = 500;

/** A cached certificate and its 304, compared with node:http with the same bytes and headers. */
export const get: Bench = async (context) => {
  const { folder, onEnd } = context;
  const service = await startService({ folder: join(folder, 'service') });
  onEnd(service.close);
  const { productIds } = await addShop(service, 1, 2);
  const path = certificatePath(String(productIds[0]));
  const answer = await fixedAnswer(service, path);
  const file = join(folder, 'answer.json');
  await writeFile(file, JSON.stringify(answer));
  const bare = await startBare('fixed.ts', file);
  onEnd(bare.close);
  const whole = [request('GET', path, { holds: '"proof"' })];
  const condition = { headers: { 'if-none-match': answer.etag }, status: 304 };
  const unchanged = [request('GET', path, condition)];
  const figures = await alternate(ROUNDS, {
    ours: costOf(context, service, whole, { calls: CALLS }),
    bare: costOf(context, bare, whole, { calls: CALLS }),
    ours304: costOf(context, service, unchanged, { calls: CALLS }),
    bare304: costOf(context, bare, unchanged, { calls: CALLS }),
  });
  const row = (name: string, bareFigures: number[], ourFigures: number[]): Row => ({
    name,
    against: 'bare node:http, same bytes and headers',
    ratio: ratioOf(bareFigures, ourFigures),
    goal: ['>=', 0.85],
    detail: `CPU of an answer: ${cost(median(ourFigures))}, bare ${cost(median(bareFigures))}`,
  });
  return [
    row('GET of a warm certificate', figures.bare, figures.ours),
    row('GET of a warm certificate, 304', figures.bare304, figures.ours304),
  ];
};

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
