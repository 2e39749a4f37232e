import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { costOf } from '../kit/cost.ts';
import { alternate, median, ratioOf } from '../kit/rounds.ts';
import { cost, type Row } from '../kit/row.ts';
import type { Bench } from '../kit/run.ts';
import { startBare, startService, THIS_CHECKOUT } from '../kit/server.ts';
import { certifiedShop, verifyRequest } from '../kit/shop.ts';
import { costOfRun, type Subject } from '../kit/subject.ts';
import { ours } from '../verify/ours.ts';

const ROUNDS = 60;
const CALLS = 250;

/** Minimum cost of each library, as a multiple of ours. */
const PEER_GOALS = { digitalbazaar: 15, didJwtVc: 30 } as const;

/** `verify()`, compared with the indispensable signature check, and with two libraries for credentials. */
export const verify: Bench = async ({ tell }) => {
  const { bare, verification } = await ours();
  const hasPeers = existsSync(join(THIS_CHECKOUT, 'tools/verify-peers/node_modules'));
  if (!hasPeers) tell('without the peers: npm ci --ignore-scripts --prefix tools/verify-peers');
  const { didJwtVc, digitalbazaar } = hasPeers ? await peers() : {};
  const figures = await alternate(ROUNDS, {
    ours: await costOfRun(verification),
    bare: await costOfRun(bare),
    ...(digitalbazaar === undefined ? {} : { digitalbazaar: await costOfRun(await digitalbazaar()) }),
    ...(didJwtVc === undefined ? {} : { didJwtVc: await costOfRun(await didJwtVc()) }),
  });
  const detail = (theirs: readonly number[]) =>
    `CPU: ${cost(median(figures.ours))} against ${cost(median(theirs))}`;
  const rows: Row[] = [
    {
      name: 'verify(), full document',
      against: 'bare RSA-2048 check (node:crypto)',
      ratio: ratioOf(figures.bare, figures.ours),
      goal: ['>=', 0.7],
      detail: detail(figures.bare),
    },
  ];
  for (const peer of ['digitalbazaar', 'didJwtVc'] as const) {
    const theirs = figures[peer];
    if (theirs === undefined) continue;
    rows.push({
      name: 'verify(), full document',
      against: peer === 'didJwtVc' ? 'did-jwt-vc (ES256K)' : '@digitalbazaar/vc (eddsa-rdfc-2022)',
      ratio: ratioOf(theirs, figures.ours),
      goal: ['>=', PEER_GOALS[peer]],
      detail: detail(theirs),
    });
  }
  return rows;
};

async function peers() {
  return (await import(`../verify/${'peers.mjs'}`)) as {
    didJwtVc?(): Promise<Subject>;
    digitalbazaar?(): Promise<Subject>;
  };
}

/** POST verify over HTTP, one process, compared with the sum of a bare server with the same bodies and the bare RSA check. */
export const verifyHttp: Bench = async (context) => {
  const { folder, onEnd } = context;
  const service = await startService({ folder: join(folder, 'service') });
  onEnd(service.close);
  const asked = verifyRequest(await certifiedShop(service));
  const answer = await fetch(`${service.url}${asked.path}`, {
    method: 'POST',
    headers: asked.headers,
    body: asked.body,
  });
  const file = join(folder, 'answer.json');
  await writeFile(file, await answer.text());
  const echo = await startBare('echo.ts', file);
  onEnd(echo.close);
  const { bare } = await ours();
  const figures = await alternate(ROUNDS, {
    ours: costOf(context, service, [asked.request], { calls: CALLS }),
    echo: costOf(context, echo, [{ ...asked.request, holds: '' }], { calls: CALLS }),
    rsa: await costOfRun(bare),
  });
  const floor = figures.echo.map((echoed, round) => echoed + (figures.rsa[round] ?? Number.NaN));
  return [
    {
      name: 'POST verify, one process',
      against: '1 / (1 / bare HTTP echo + 1 / RSA check)',
      ratio: ratioOf(floor, figures.ours),
      goal: ['>=', 0.4],
      detail: `CPU of an answer: ${cost(median(figures.ours))}, echo ${cost(median(figures.echo))}, RSA ${cost(median(figures.rsa))}`,
    },
  ];
};
