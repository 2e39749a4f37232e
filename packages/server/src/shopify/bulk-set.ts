import { setTimeout as delay } from 'node:timers/promises';
import type { ApiClient } from '@touchstone/page/fetch';
import type { AdminClient } from './admin-client.ts';
import { type BulkBegun, isOver, mustWait, readOperation, saidOf } from './bulk-operation.ts';
import { ShopifyProblem } from './problem.ts';
import { type MetafieldsSetInput, SET_METAFIELDS, type SetMetafieldsAnswer } from './queries.ts';

/** Milliseconds between two questions whether an operation is over. */
const POLL = { first: 500, most: 10_000 };

/** A place for the file of the operation. */
const STAGE_UPLOAD = `mutation TouchstoneStage {
  stagedUploadsCreate(input: [
    { resource: BULK_MUTATION_VARIABLES, filename: "certificates.jsonl", mimeType: "text/jsonl", httpMethod: POST }
  ]) {
    stagedTargets { url parameters { name value } }
    userErrors { message }
  }
}`;

interface StageUploadAnswer {
  readonly stagedUploadsCreate: {
    readonly stagedTargets:
      | readonly {
          readonly url: string;
          readonly parameters: readonly { readonly name: string; readonly value: string }[];
        }[]
      | null;
    readonly userErrors: readonly { readonly message: string }[];
  };
}

const RUN_BULK = `mutation TouchstoneBulk($mutation: String!, $path: String!) {
  bulkOperationRunMutation(mutation: $mutation, stagedUploadPath: $path) {
    bulkOperation { id }
    userErrors { code message }
  }
}`;

interface BulkShop {
  readonly client: AdminClient;
  readonly api: ApiClient;
  readonly signal: AbortSignal;
}

/**
 * Sets any number of metafields by one bulk operation: a file of calls with one metafield each is uploaded, and Shopify works
 * through it without counting it against the calls that an app may make.
 *
 * @returns digests of those that were set, by product; what is not among them was refused, and is to be set by itself
 * @throws ShopifyProblem
 */
export async function bulkSet(
  { client, api, signal }: BulkShop,
  inputs: readonly MetafieldsSetInput[],
): Promise<Map<string, string>> {
  const lines = inputs.map((input) => JSON.stringify({ metafields: [input] })).join('\n');
  const path = await upload(client, api, lines, signal);
  const { bulkOperationRunMutation: begun } = await client.query<{
    readonly bulkOperationRunMutation: BulkBegun;
  }>(RUN_BULK, { mutation: SET_METAFIELDS, path }, signal);
  if (mustWait(begun)) throw new ShopifyProblem('shopify_throttled', saidOf(begun));
  if (begun.bulkOperation === null) throw refused(saidOf(begun));
  const url = await finished(client, begun.bulkOperation.id, signal);
  return url === null ? new Map() : readDigests(api, url, signal);
}

const refused = (said: string) => new ShopifyProblem('shopify_request_refused', said.slice(0, 300));

/** @returns what names the uploaded file */
async function upload(
  client: AdminClient,
  api: ApiClient,
  lines: string,
  signal: AbortSignal,
): Promise<string> {
  const { stagedUploadsCreate } = await client.query<StageUploadAnswer>(STAGE_UPLOAD, {}, signal);
  const [target] = stagedUploadsCreate.stagedTargets ?? [];
  const key = target?.parameters.find(({ name }) => name === 'key')?.value;
  if (target === undefined || key === undefined)
    throw refused(stagedUploadsCreate.userErrors.map(({ message }) => message).join(' '));
  const form = new FormData();
  for (const { name, value } of target.parameters) form.append(name, value);
  // the file is the last field: storage reads no field behind it
  form.append('file', new Blob([lines], { type: 'text/jsonl' }), 'certificates.jsonl');
  const encoded = new Response(form);
  const answer = await api.request(target.url, {
    method: 'POST',
    headers: { 'Content-Type': encoded.headers.get('content-type') ?? '' },
    body: new Uint8Array(await encoded.arrayBuffer()),
    signal,
  });
  if (answer.kind === 'failed')
    throw new ShopifyProblem('shopify_unreachable', `${answer.code} ${answer.detail}`.trim());
  if (answer.status > 299) throw refused(`The upload was answered with ${answer.status}.`);
  return key;
}

/** Waits for the operation to end, and names what came of it; `null`: nothing did. */
async function finished(client: AdminClient, id: string, signal: AbortSignal): Promise<string | null> {
  for (let pause = POLL.first; ; pause = Math.min(POLL.most, pause * 2)) {
    await delay(pause, undefined, { signal });
    const operation = await readOperation(client, id, signal);
    if (operation === null) throw refused('The bulk operation is not there any more.');
    if (!isOver(operation)) continue;
    const { status, url, partialDataUrl, errorCode } = operation;
    if (status === 'COMPLETED') return url;
    // what was done before it ended counts
    if (partialDataUrl !== null) return partialDataUrl;
    throw refused(`The bulk operation ended as ${status} ${errorCode ?? ''}.`);
  }
}

async function readDigests(api: ApiClient, url: string, signal: AbortSignal): Promise<Map<string, string>> {
  const answer = await api.request(url, { signal });
  if (answer.kind === 'failed' || answer.status !== 200)
    throw new ShopifyProblem('shopify_unreachable', 'The outcome of a bulk operation cannot be fetched.');
  const digests = new Map<string, string>();
  for (const line of new TextDecoder().decode(answer.body).split('\n')) {
    if (line === '') continue;
    const { data } = JSON.parse(line) as { data?: SetMetafieldsAnswer };
    for (const { owner, compareDigest } of data?.metafieldsSet.metafields ?? [])
      digests.set(owner.legacyResourceId, compareDigest);
  }
  return digests;
}
