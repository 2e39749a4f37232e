/** Where the answers to POSTs with an Idempotency-Key are kept; shared by all nodes. */
export interface IdempotencyStore {
  /** Claims the key for this request, or says what became of an earlier one with the same key. */
  begin(claim: IdempotencyClaim): Promise<IdempotencyState>;
  /** Keeps the answer for replays. */
  finish(claim: IdempotencyClaim, answer: StoredAnswer): Promise<void>;
  /** Lets the key go: the request failed and may be sent again. */
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
  /** The key came with another request before. */
  | { readonly kind: 'mismatch' }
  | { readonly kind: 'in_progress' };
