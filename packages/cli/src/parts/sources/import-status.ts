import type { ImportView, Store, StoreSource } from '@touchstone/contract';
import type { ServiceClient } from '../../client.ts';
import { progressText } from '../../output/progress.ts';
import { type StatusPart, unlessNone } from '../../status/status-part.ts';

/** The service's imports of the shop's catalogue: the schedule, and the current or last import. */
export async function importPart(client: ServiceClient, { id }: Store): Promise<StatusPart> {
  const params = { store_id: id };
  const [source, { imports }] = await Promise.all([
    unlessNone(client.call('getStoreSource', { params })),
    client.call('listImports', { params, query: { limit: 1 } }),
  ]);
  const [last] = imports;
  const state = last === undefined ? 'well' : stateOf(last);
  return {
    name: 'imports',
    value: { source: source ?? null, last: last ?? null },
    says: [
      ...(source === undefined ? [] : [scheduleOf(source)]),
      ...(last === undefined ? [] : [progressOf(last), ...problemsOf(last)]),
    ],
    state,
    nextSteps: last === undefined ? [] : nextStepsOf(last),
  };
}

function stateOf({ state, finishedAt, failed }: ImportView): StatusPart['state'] {
  if (state === 'failed') return 'failed';
  if (finishedAt === undefined) return 'working';
  return failed > 0 ? 'open' : 'well';
}

function scheduleOf({ url, everyHours, nextAt }: StoreSource): string {
  return `${url} is read every ${everyHours === 1 ? 'hour' : `${everyHours} hours`}, next at ${nextAt}`;
}

function progressOf(view: ImportView): string {
  const { url, state, done, total, failed, perSecond, createdAt, begunAt, finishedAt, failure } = view;
  const why = failure === undefined ? '' : ` (${failure.code}: ${failure.detail})`;
  if (finishedAt !== undefined)
    return state === 'failed'
      ? `${url}: failed at ${finishedAt} after ${done} products${why}`
      : `${url}: read to its end at ${finishedAt}, ${done} products: ${countsOf(view)}`;
  const far = progressText({ done, failed, total }, perSecond);
  if (state === 'running') return `${url}: being read since ${begunAt ?? createdAt}, ${far}`;
  if (failure !== undefined) return `${url}: retried soon, ${far}${why}`;
  return `${url}: waiting to be read since ${createdAt}`;
}

function countsOf({ created, updated, unchanged, revived, failed }: ImportView): string {
  const counts = { new: created, changed: updated, 'back again': revived, 'as before': unchanged, failed };
  const present = Object.entries(counts).filter(([, count]) => count > 0);
  return present.length === 0 ? 'none' : present.map(([what, count]) => `${count} ${what}`).join(', ');
}

function problemsOf({ problems, skippedPages, notInSource, deleted = 0 }: ImportView): string[] {
  const left = (notInSource ?? 0) - deleted;
  return [
    ...problems.map(({ kind, count, example: { row, externalProductId, reason } }) => {
      const which = [
        ...(row === 0 ? [] : [`row ${row}`]),
        ...(externalProductId === undefined ? [] : [externalProductId]),
      ].join(', ');
      return `${count} ${kind}${which === '' ? '' : `, such as ${which}`}: ${reason}`;
    }),
    ...(skippedPages === 0 ? [] : [`${skippedPages} pages without a product`]),
    ...(left <= 0 ? [] : [`${left} products of this store are not in the source`]),
  ];
}

function nextStepsOf({ state, failed, url, finishedAt }: ImportView): string[] {
  if (state === 'failed') return [`Make sure that ${url} can be read, then import it again`];
  if (finishedAt === undefined || failed === 0) return [];
  return [
    `Correct the ${failed === 1 ? 'product' : `${failed} products`} at the shop that could not be imported: each kind is listed above`,
  ];
}
