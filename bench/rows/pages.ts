import { join } from 'node:path';
import { costOf } from '../kit/cost.ts';
import { request } from '../kit/load.ts';
import { alternate, median, ratioOf } from '../kit/rounds.ts';
import { cost, type Row } from '../kit/row.ts';
import type { Bench } from '../kit/run.ts';
import { startService } from '../kit/server.ts';
import { addShop, certificatePath } from '../kit/shop.ts';

const ROUNDS = 30;
const CALLS = 400;

const AS_BROWSER = {
  headers: {
    accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8',
    'accept-language': 'en-GB,en;q=0.9,es;q=0.8',
  },
};

/** The page of a certificate, and of an earlier check, compared with the same as JSON. */
export const pages: Bench = async (context) => {
  const service = await startService({ folder: join(context.folder, 'service') });
  context.onEnd(service.close);
  const { productIds } = await addShop(service, 1, 2);
  const certificate = certificatePath(String(productIds[0]));
  const report = await service.call('POST', '/mc4p/page-checks', { url: 'http://127.0.0.1/' });
  const check = `/api/v1/mc4p/page-checks/${String(report.id)}`;
  const asJson = (path: string, holds: string) =>
    costOf(context, service, [request('GET', path, { holds })], { calls: CALLS });
  const asPage = (path: string) =>
    costOf(context, service, [request('GET', path, { holds: '<!doctype html>', ...AS_BROWSER })], {
      calls: CALLS,
    });
  const figures = await alternate(ROUNDS, {
    certificate: asJson(certificate, '"proof"'),
    certificatePage: asPage(certificate),
    check: asJson(check, '"verdict"'),
    checkPage: asPage(check),
  });
  const row = (name: string, json: number[], page: number[]): Row => ({
    name,
    against: 'the same as JSON',
    ratio: ratioOf(page, json),
    goal: ['<=', 1.5],
    detail: `CPU of an answer: ${cost(median(page))}, as JSON ${cost(median(json))}`,
  });
  return [
    row('page of a warm certificate', figures.certificate, figures.certificatePage),
    row('page of an earlier check', figures.check, figures.checkPage),
  ];
};
