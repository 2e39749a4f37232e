import { setTimeout as delay } from 'node:timers/promises';
import type { ApiClient } from '@touchstone/fetch';
import { Credential } from '@touchstone/fetch/credential';
import type { AdminClient } from './admin-client.ts';
import { type BulkStart, hasEnded, mustWait, readOperation } from './bulk-operation.ts';
import { MAX_SHOP_TEXT, messagesOf, ShopifyProblem } from './problem.ts';
import { type MetafieldsSetInput, SET_METAFIELDS, type SetMetafieldsAnswer } from './queries.ts';

/** Milliseconds between two polls of an operation; doubled each time. */
const POLL = { first: 500, max: 10_000 };

/** Asks for an address to upload the file of the operation to. */
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
 * Sets any number of metafields by one bulk operation: a file of calls with one metafield each is uploaded, and Shopify
 * processes it outside the rate limit of the app.
 *
 * @returns digests of the metafields that were set, by product; the others were rejected and must be set by single calls
 * @throws ShopifyProblem
 */
export async function bulkSet(
  { client, api, signal }: BulkShop,
  inputs: readonly MetafieldsSetInput[],
): Promise<Map<string, string>> {
  const lines = inputs.map((input) => JSON.stringify({ metafields: [input] })).join('\n');
  const path = await upload(client, api, lines, signal);
  const { bulkOperationRunMutation: start } = await client.query<{
    readonly bulkOperationRunMutation: BulkStart;
  }>(RUN_BULK, { mutation: SET_METAFIELDS, path }, signal);
  if (mustWait(start)) throw new ShopifyProblem('shopify_throttled', messagesOf(start.userErrors));
  if (start.bulkOperation === null) throw refused(messagesOf(start.userErrors));
  const url = await waitForResult(client, start.bulkOperation.id, signal);
  return url === null ? new Map() : readDigests(api, url, signal);
}

const refused = (detail: string) =>
  new ShopifyProblem('shopify_request_refused', detail.slice(0, MAX_SHOP_TEXT));

/** @returns the path by which the operation names the uploaded file */
async function upload(
  client: AdminClient,
  api: ApiClient,
  lines: string,
  signal: AbortSignal,
): Promise<string> {
  const { stagedUploadsCreate } = await client.query<StageUploadAnswer>(STAGE_UPLOAD, {}, signal);
  const [target] = stagedUploadsCreate.stagedTargets ?? [];
  const key = target?.parameters.find(({ name }) => name === 'key')?.value;
  if (target === undefined || key === undefined) throw refused(messagesOf(stagedUploadsCreate.userErrors));
  const form = new FormData();
  for (const { name, value } of target.parameters) form.append(name, value);
  // the file must be the last field: the storage ignores fields after it
  form.append('file', new Blob([lines], { type: 'text/jsonl' }), 'certificates.jsonl');
  const encoded = new Response(form);
  const answer = await api.request(target.url, {
    method: 'POST',
    // the form permits the upload
    credential: new Credential(target.url),
    headers: { 'Content-Type': encoded.headers.get('content-type') ?? '' },
    body: new Uint8Array(await encoded.arrayBuffer()),
    signal,
  });
  if (answer.kind === 'failed')
    throw new ShopifyProblem('shopify_unreachable', `${answer.code} ${answer.detail}`.trim());
  if (answer.status > 299) throw refused(`The upload was answered with ${answer.status}.`);
  return key;
}

/** @returns the address of the operation's result, once it has ended; `null`: the result is empty */
async function waitForResult(client: AdminClient, id: string, signal: AbortSignal): Promise<string | null> {
  for (let pause = POLL.first; ; pause = Math.min(POLL.max, pause * 2)) {
    await delay(pause, undefined, { signal });
    const operation = await readOperation(client, id, signal);
    if (operation === null) throw refused('The bulk operation no longer exists.');
    if (!hasEnded(operation)) continue;
    const { status, url, partialDataUrl, errorCode } = operation;
    if (status === 'COMPLETED') return url;
    // metafields that were set before it failed remain set
    if (partialDataUrl !== null) return partialDataUrl;
    throw refused(`The bulk operation ended as ${status} ${errorCode ?? ''}.`);
  }
}

async function readDigests(api: ApiClient, url: string, signal: AbortSignal): Promise<Map<string, string>> {
  // the address permits the download
  const answer = await api.request(url, { signal, credential: new Credential(url) });
  if (answer.kind === 'failed' || answer.status !== 200)
    throw new ShopifyProblem('shopify_unreachable', 'The result of a bulk operation cannot be fetched.');
  const digests = new Map<string, string>();
  for (const line of new TextDecoder().decode(answer.body).split('\n')) {
    if (line === '') continue;
    const { data } = JSON.parse(line) as { data?: SetMetafieldsAnswer };
    for (const { owner, compareDigest } of data?.metafieldsSet.metafields ?? [])
      digests.set(owner.legacyResourceId, compareDigest);
  }
  return digests;
}
