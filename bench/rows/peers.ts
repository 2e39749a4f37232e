import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createClient, type Request, repeated, request } from '../kit/load.ts';
import { alternate, type Measure, median, ratioOf } from '../kit/rounds.ts';
import { type Row, rate } from '../kit/row.ts';
import type { Bench } from '../kit/run.ts';
import { startBare, startService, THIS_CHECKOUT } from '../kit/server.ts';
import { addShop, certificatePath, VERIFIED } from '../kit/shop.ts';

const ROUNDS = 5;
/** Certificates of one measurement, each issued, fetched and verified once. */
const MEASURED = 500;
/** The same for a library, which is slower. */
const MEASURED_THERE = 100;
const AT_ONCE = 128;
const PEERS = { digitalbazaar: '@digitalbazaar/vc', didJwtVc: 'did-jwt-vc' } as const;

/** Issue, GET and verify of each certificate by the service, including its registry, compared with libraries on bare node:http. */
export const peers: Bench = async (context) => {
  const { folder, onEnd, tell } = context;
  if (!existsSync(join(THIS_CHECKOUT, 'tools/verify-peers/node_modules'))) {
    tell('left out: npm ci --ignore-scripts --prefix tools/verify-peers');
    return [];
  }
  const service = await startService({ folder: join(folder, 'service') });
  onEnd(service.close);
  const { productIds } = await addShop(service, MEASURED * (ROUNDS + 1), 2);
  const theirs = async (name: keyof typeof PEERS): Promise<Measure> => {
    const server = await startBare('peer.ts', name);
    onEnd(server.close);
    const credential = await (await fetch(`http://127.0.0.1:${server.port}/certificate`)).text();
    const three = [
      request('POST', '/issue', { body: '' }),
      request('GET', '/certificate'),
      request('POST', '/verify', { body: credential, holds: VERIFIED }),
    ];
    const client = createClient(server.port, AT_ONCE);
    onEnd(async () => client.close());
    return async () => MEASURED_THERE / (await client.load(repeated(three, 3 * MEASURED_THERE)));
  };
  const client = createClient(service.port, AT_ONCE);
  onEnd(async () => client.close());
  let issued = 0;
  const ours = async () => {
    issued += MEASURED;
    const paths = productIds.slice(issued - MEASURED, issued).map(certificatePath);
    const gets = paths.map((path) => request('GET', path));
    // the first GET issues the certificate
    const first = await client.load(repeated(gets, MEASURED));
    const verifies = await Promise.all(paths.map((path) => verifyRequestOf(service.url, path)));
    return MEASURED / (first + (await client.load(repeated([...gets, ...verifies], 2 * MEASURED))));
  };
  const figures = await alternate(ROUNDS, {
    ours,
    digitalbazaar: await theirs('digitalbazaar'),
    didJwtVc: await theirs('didJwtVc'),
  });
  return (['digitalbazaar', 'didJwtVc'] as const).map(
    (peer): Row => ({
      name: 'issue, GET and verify, one process',
      against: `${PEERS[peer]} on bare node:http`,
      ratio: ratioOf(figures.ours, figures[peer]),
      goal: ['>=', 8],
      detail: `${rate(median(figures.ours))} against ${rate(median(figures[peer]))}`,
    }),
  );
};

async function verifyRequestOf(url: string, path: string): Promise<Request> {
  const document = (await (await fetch(url + path)).json()) as { readonly url: string };
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ productUrl: document.url, document });
  return request('POST', path.replace(/certificate$/, 'verify'), { headers, body, holds: VERIFIED });
}
