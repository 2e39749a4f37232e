import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { withResponses } from '../../packages/contract/src/openapi/testing.ts';
import { openFolderBlobs } from '../../packages/server/src/core/images/blobs/folder-blobs.ts';
import { type Asked, inParallel } from './support/client.ts';
import type { Answer } from './support/contract.ts';
import { BLOB, type Generated, type OpenApi, roundOf } from './support/openapi-requests.ts';
import { session } from './support/session.ts';
import type { World } from './support/world.ts';

const SEED = Number(process.env.TOUCHSTONE_FUZZ_SEED ?? 20_261_126);
const REQUESTS = Number(process.env.TOUCHSTONE_FUZZ_REQUESTS ?? 20_000);
/** How many times as many are sent at most while an operation has not succeeded. */
const MOST = 5;
/** Rounds of one request to each operation are created and sent together, so that not all are in memory. */
const AT_ONCE = 10;
const WIDTH = 16;
/** Only rejected here: a revoked key would leave the rest of the run without proofs. It has its own test. */
const NEVER_DONE = ['revokeSigningKey'];
/**
 * Random requests find no token on a chain, no image that is still served, no status list or signed copy of one, no year of the log, no
 * proof in it, no evidence, no shop to connect to and no console page to sign in from, and rarely an existing
 * webhook, a delivery of it, or products for undoing an action. A service with a
 * plain address signs no requests, and following an import only ends with it, possibly after hours. These have their own tests.
 */
const NOT_BY_CHANCE = [
  'recordNft',
  'getAssetCertificate',
  'getImageCertificate',
  'verifyImageCertificate',
  'getKeyDirectory',
  // its address gives no name
  'getUcpProfile',
  'getUcpSchema',
  'getAcpSchema',
  'attestPage',
  'attestItem',
  'getStatusList',
  'getLogCheckpoint',
  'getLogProof',
  'getEvidence',
  'setPictureSettings',
  'decideCopy',
  'setHostStatements',
  'mergeStatusList',
  'followImport',
  'connectShopify',
  'getShopify',
  'readShopify',
  'beginSession',
  'getSession',
  'endSession',
  // only once a standby has been published for a day
  'rotateSigningKeys',
  'getRegistryChange',
  'undoChange',
  'getWebhook',
  'updateWebhook',
  'deleteWebhook',
  'rotateWebhookSecret',
  'testWebhook',
  'listDeliveries',
  'getDelivery',
  'replayDelivery',
];

const here = session(`generated requests, seed ${SEED}`);

it(`${REQUESTS} requests generated from our own OpenAPI are all answered as it says, seed ${SEED}`, async () => {
  const api = await readApi();
  const round = roundOf(api, Object.keys(FOUND_IN));
  const ids = new Ids(here.world);
  const certificate = await here.world.operate(
    'GET',
    `/api/v1/mc4p/products/${here.world.mine.products[0]?.id}/certificate`,
  );
  await openFolderBlobs(join(here.world.service.dataDir, 'blobs')).put(BLOB.key, BLOB.bytes);
  const answered = new Map<string, number>();
  let sent = 0;
  const unreached = () =>
    Object.values(api.paths)
      .flatMap((methods) => Object.values(methods))
      .filter(({ operationId }) => ![...NEVER_DONE, ...NOT_BY_CHANCE].includes(operationId))
      .filter(({ operationId, responses }) => {
        const wanted = Object.keys(responses).filter((status) => status.startsWith('2'));
        return !wanted.some((status) => answered.has(`${operationId} ${status}`));
      })
      .map(({ operationId }) => operationId);
  // some succeed in few of many cases, such as an import while none is running: chance gets more of them
  const isDone = () => sent >= REQUESTS && (sent >= MOST * REQUESTS || unreached().length === 0);
  for (let portion = 0; !isDone(); portion++) {
    const batch = fc.sample(round, { seed: SEED + portion, numRuns: AT_ONCE }).flat();
    sent += batch.length;
    await inParallel(batch, WIDTH, async (generated, index) => {
      const asked = fill(generated, ids, certificate);
      const at = `seed ${SEED + portion} #${index} ${generated.caller}: ${asked.method} ${asked.path} ${String(asked.body ?? '').slice(0, 200)}`;
      const answer = await here.world.client.ask(asked).catch((error: unknown) => {
        here.tally.wrong(`${error}  <-  ${at}`);
        return null;
      });
      if (answer === null) return;
      here.tally.note(answer, { ...here.world.promised, method: asked.method }, at);
      for (const what of undocumented(answer, generated, asked)) here.tally.wrong(`${what}  <-  ${at}`);
      ids.learn(generated, answer);
      const key = `${generated.operation.operationId} ${answer.status}`;
      answered.set(key, (answered.get(key) ?? 0) + 1);
    });
    expect(here.world.service.crash()).toBeNull();
  }
  console.info(`${answered.size} different answers, of operation and status`);
  // every operation had a successful response, so that the run tested more than errors
  expect(unreached()).toEqual([]);
}, 1_800_000);

async function readApi(): Promise<OpenApi> {
  const answer = await here.world.client.ask({ method: 'GET', path: '/api/v1/openapi.json' });
  return withResponses<OpenApi>(JSON.parse(answer.body.toString()));
}

/** Statuses that a request can get before any operation: for its address, method or size. */
const OF_TRANSPORT = [405, 408, 431];
const MALFORMED = /%(?![0-9a-f]{2})|%ED%A0%80/i;

/** How a response differs from the operation's documentation. */
function undocumented(answer: Answer, generated: Generated, asked: Asked): string[] {
  const { operation } = generated;
  if (['HEAD', 'OPTIONS'].includes(asked.method) || OF_TRANSPORT.includes(answer.status)) return [];
  const broken: string[] = [];
  const shape = operation.responses[answer.status];
  const isMalformed = answer.status === 400 && MALFORMED.test(asked.path);
  if (shape === undefined && !isMalformed) {
    broken.push(`${operation.operationId} answered ${answer.status}, which it does not document`);
  }
  const type = String(answer.headers['content-type'] ?? '').split(';')[0] ?? '';
  const range = type.replace(/\/.*/, '/*');
  const told = Object.keys(shape?.content ?? {});
  // pages for people are described in words only
  const isPage = type === 'text/html' && operation.description?.includes('`Accept: text/html`') === true;
  const isTold = isPage || told.includes(type) || told.includes(range);
  if (shape?.content !== undefined && !isTold && answer.status !== 304) {
    const isRows = type === 'application/x-ndjson' && operation.operationId === 'putProducts';
    if (!isRows) broken.push(`${answer.status} as ${type}, not ${told}`);
  }
  const needsKey = (operation.security ?? []).length > 0;
  const keyless = ['nobody', 'stranger', 'garbled'].includes(generated.caller);
  if (needsKey && keyless && answer.status < 400) broken.push(`${answer.status} without a key`);
  const touchesMine = /\{\{(spare-)?(merchant|store|product|image|webhook|delivery|import|change)\}\}/.test(
    generated.path,
  );
  if (needsKey && generated.caller === 'other merchant' && touchesMine && answer.status < 400) {
    broken.push(`${answer.status} to another merchant`);
  }
  return broken;
}

/** What the ids in answers belong to. */
const FOUND_IN: Readonly<Record<string, string>> = {
  createStore: 'store',
  createApiKey: 'key',
  checkPage: 'check',
  putProducts: 'product',
  addImages: 'image',
  createWebhook: 'webhook',
  listDeliveries: 'delivery',
  createImport: 'import',
  listImports: 'import',
  actOnProducts: 'change',
};

/** Ids of existing objects: some permanent, some that may be deleted. */
class Ids {
  readonly #permanent: Readonly<Record<string, readonly string[]>>;
  readonly #spare = new Map<string, string[]>();
  #turn = 0;

  constructor({ mine }: World) {
    this.#permanent = {
      merchant: [mine.merchantId],
      store: [mine.storeId],
      product: mine.products.map(({ id }) => id),
      image: mine.products.flatMap(({ images }) => images),
    };
  }

  pick(place: string): string {
    this.#turn += 1;
    const [, spare, kind = ''] = /^(spare-)?(.*)$/.exec(place) ?? [];
    const learnt = this.#spare.get(kind) ?? [];
    const choice = spare === undefined && this.#turn % 3 !== 0 ? (this.#permanent[kind] ?? learnt) : learnt;
    return choice[this.#turn % Math.max(1, choice.length)] ?? '00000000-0000-4000-8000-000000000000';
  }

  /** Collects the ids in responses about objects of the merchant that all requests use. */
  learn({ operation, caller }: Generated, answer: Answer): void {
    if (answer.status > 202 || caller === 'other merchant') return;
    const kind = FOUND_IN[operation.operationId];
    if (kind === undefined) return;
    const found = answer.body.toString().match(/(?<="id":")[0-9a-f-]{36}/g) ?? [];
    const permanent = this.#permanent[kind] ?? [];
    const spare = this.#spare.get(kind) ?? [];
    spare.push(...found.filter((id) => !permanent.includes(id)));
    this.#spare.set(kind, spare.slice(-50));
  }
}

function fill(generated: Generated, ids: Ids, certificate: unknown): Asked {
  const put = (text: string) => text.replace(/\{\{([a-z-]+)\}\}/g, (_, place: string) => ids.pick(place));
  const document = JSON.stringify(certificate);
  const body = generated.body
    ?.replaceAll('"{{certificate}}"', () => document)
    .replaceAll('"{{certificate-text}}"', () => JSON.stringify(document))
    .replaceAll('"{{certificate-edited}}"', () => document.replace(/"jwt":"[^"]{50}/, '"jwt":"'));
  const isRows = body?.startsWith('ndjson:') === true;
  const type = isRows ? 'application/x-ndjson' : 'application/json';
  return {
    method: generated.method,
    path: put(generated.path),
    headers: {
      ...(body === undefined ? {} : { 'content-type': type }),
      ...generated.headers,
      ...authorization(generated.caller),
    },
    ...(body === undefined ? {} : { body: put(isRows ? body.slice('ndjson:'.length) : body) }),
  };
}

function authorization(caller: Generated['caller']): Record<string, string> {
  const key = {
    nobody: null,
    stranger: 'tsk_0123456789abcdefghijklmnopqrstuvwxyz',
    garbled: ' "x',
    'other merchant': here.world.theirs.key,
    merchant: here.world.mine.key,
    operator: here.world.service.operatorKey,
  }[caller];
  return key === null ? {} : { authorization: `Bearer ${key}` };
}
