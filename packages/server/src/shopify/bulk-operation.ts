import type { AdminClient } from './admin-client.ts';

/** An operation that Shopify carries out by itself, on everything at once. */
export interface BulkOperation {
  readonly status: string;
  readonly errorCode: string | null;
  /** Of a file of JSON lines, for seven days; `null`: it is empty. */
  readonly url: string | null;
  /** Of what was done before it failed. */
  readonly partialDataUrl: string | null;
  /** A whole number, as text: products, or calls, that it is through with. */
  readonly rootObjectCount: string;
}

const BULK_OPERATION = `query TouchstoneBulkOperation($id: ID!) {
  bulkOperation(id: $id) { status errorCode url partialDataUrl rootObjectCount }
}`;

/** @returns `null`: there is none any more */
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

export const isOver = ({ status }: BulkOperation): boolean =>
  status === 'COMPLETED' || status === 'FAILED' || status === 'CANCELED' || status === 'EXPIRED';

/** What Shopify answers where it is asked for an operation. */
export interface BulkBegun {
  readonly bulkOperation: { readonly id: string } | null;
  readonly userErrors: readonly { readonly code: string | null; readonly message: string }[];
}

/** Whether others of this app have to end first: five of each kind may run at a time, one before API 2026-01. */
export const mustWait = ({ userErrors }: BulkBegun): boolean =>
  userErrors.some(({ code }) => code === 'OPERATION_IN_PROGRESS' || code === 'LIMIT_REACHED');

export const saidOf = ({ userErrors }: BulkBegun): string =>
  userErrors
    .map(({ message }) => message)
    .join(' ')
    .slice(0, 300);
