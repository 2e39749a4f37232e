import type { AdminClient } from './admin-client.ts';

/** An asynchronous operation of Shopify on all products or on a file of calls. */
export interface BulkOperation {
  readonly status: string;
  readonly errorCode: string | null;
  /** Address of a file of JSON lines, valid for seven days; `null`: the result is empty. */
  readonly url: string | null;
  /** The same for the results before the operation failed. */
  readonly partialDataUrl: string | null;
  /** Products or calls processed so far: an integer, as text. */
  readonly rootObjectCount: string;
}

const BULK_OPERATION = `query TouchstoneBulkOperation($id: ID!) {
  bulkOperation(id: $id) { status errorCode url partialDataUrl rootObjectCount }
}`;

/** @returns `null`: the operation no longer exists */
export async function readOperation(
  client: AdminClient,
  id: string,
  signal: AbortSignal,
): Promise<BulkOperation | null> {
  const answer = await client.query<{ readonly bulkOperation: BulkOperation | null }>(
    BULK_OPERATION,
    { id },
    signal,
  );
  return answer.bulkOperation;
}

export const hasEnded = ({ status }: BulkOperation): boolean =>
  status === 'COMPLETED' || status === 'FAILED' || status === 'CANCELED' || status === 'EXPIRED';

/** Shopify's reply to a request for an operation. */
export interface BulkStart {
  readonly bulkOperation: { readonly id: string } | null;
  readonly userErrors: readonly { readonly code: string | null; readonly message: string }[];
}

/** Whether other operations of this app have to end first: five of each kind may run at a time, one before API 2026-01. */
export const mustWait = ({ userErrors }: BulkStart): boolean =>
  userErrors.some(({ code }) => code === 'OPERATION_IN_PROGRESS' || code === 'LIMIT_REACHED');
