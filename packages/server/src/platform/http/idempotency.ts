import { createHash } from 'node:crypto';
import { ServiceError } from '../errors.ts';
import type { Reply } from './route.ts';

/** Stores the answers to POSTs with an Idempotency-Key; shared by all nodes. */
export interface IdempotencyStore {
  /** Claims the key for this request, or returns the state of an earlier request with the same key. */
  begin(claim: IdempotencyClaim): Promise<IdempotencyState>;
  /** Stores the answer for replays. */
  finish(claim: IdempotencyClaim, answer: StoredAnswer): Promise<void>;
  /** Frees the key: the request failed and may be sent again. */
  abandon(claim: IdempotencyClaim): Promise<void>;
}

export interface IdempotencyClaim {
  readonly caller: string;
  readonly key: string;
  /** SHA-256 over method, path and body. */
  readonly requestHash: Buffer;
}

export interface StoredAnswer {
  readonly status: number;
  readonly body: unknown;
}

export type IdempotencyState =
  | { readonly kind: 'new' }
  | { readonly kind: 'replay'; readonly answer: StoredAnswer }
  /** The key was used for another request. */
  | { readonly kind: 'mismatch' }
  | { readonly kind: 'in_progress' };

const KEY = /^[\x21-\x7e]{1,255}$/;

/** Runs `handle` at most once per key, or always without a key. Faults are not stored, so a retry runs again. */
export async function runIdempotent(
  store: IdempotencyStore,
  request: { caller: string; key: string | undefined; method: string; path: string; body: Uint8Array },
  handle: () => Promise<Reply>,
): Promise<Reply> {
  if (request.key === undefined) return handle();
  if (!KEY.test(request.key)) {
    throw new ServiceError('bad_request', {
      message: 'Idempotency-Key must be 1 to 255 printable ASCII characters.',
    });
  }
  const claim: IdempotencyClaim = { caller: request.caller, key: request.key, requestHash: hash(request) };
  const state = await store.begin(claim);
  switch (state.kind) {
    case 'replay':
      return { ...state.answer, headers: { 'idempotency-replayed': 'true', 'cache-control': 'no-store' } };
    case 'mismatch':
      throw new ServiceError('idempotency_key_reused');
    case 'in_progress':
      throw new ServiceError('idempotency_key_in_use', { retryAfter: 1 });
    case 'new':
      return runOnce(store, claim, handle);
  }
}

async function runOnce(
  store: IdempotencyStore,
  claim: IdempotencyClaim,
  handle: () => Promise<Reply>,
): Promise<Reply> {
  let reply: Reply;
  try {
    reply = await handle();
  } catch (error) {
    // the first fault is the one to report; a key that could not be freed expires
    await store.abandon(claim).catch(() => undefined);
    throw error;
  }
  // the work is done even if its answer could not be stored: a retry is then answered that the key is in use
  await store.finish(claim, { status: reply.status, body: reply.body }).catch(() => undefined);
  return reply;
}

function hash(request: { method: string; path: string; body: Uint8Array }): Buffer {
  return createHash('sha256').update(`${request.method} ${request.path}\n`).update(request.body).digest();
}
