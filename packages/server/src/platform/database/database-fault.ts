import type { ErrorCode } from '@touchstone/contract';
import { ServiceError } from '../errors.ts';

/** Seconds: an embedded server restarts in about two, a failover takes a few more; a standby is not reached for longer. */
const RETRY_AFTER_SECONDS = 2;
/** Seconds: the cause of a timeout usually persists for a while. */
const BUSY_RETRY_AFTER_SECONDS = 5;
/** Seconds: the operator has to fix it. */
const DISK_RETRY_AFTER_SECONDS = 30;

/** Node's codes of connection and DNS errors. */
const UNREACHABLE = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENOENT', // the socket file of an embedded server that is not running
]);

/** SQLSTATEs (PostgreSQL manual, appendix A) of a server that cannot serve at the moment. */
const UNAVAILABLE_STATES = new Set([
  '53000', // insufficient_resources
  '53200', // out_of_memory
  '53300', // too_many_connections
  '57P01', // admin_shutdown
  '57P02', // crash_shutdown
  '57P03', // cannot_connect_now
  '57P05', // idle_session_timeout
  '28000', // invalid_authorization_specification: a pool's new connection is refused
  '28P01', // invalid_password: it was changed meanwhile
  '3D000', // invalid_catalog_name: the database is being restored
  '25P03', // idle_in_transaction_session_timeout
  '25P04', // transaction_timeout
  '58030', // io_error
]);

/** SQLSTATEs of a reachable server that cancelled a statement, with the text for the log. */
const BUSY_STATES: Readonly<Record<string, string>> = {
  '55P03': 'waited for a lock for longer than it may', // lock_not_available: lock_timeout
  '57014': 'took longer than a statement may', // query_canceled: statement_timeout
};

/** The message of pg's own timeout, for a server that does not even cancel the statement, for example if its disk hangs. */
const STALLED_MESSAGE = 'Query read timeout';

/** pg reports a lost connection by its message alone. */
const LOST_MESSAGES =
  /^(Connection terminated|timeout exceeded when trying to connect|timeout expired|Client has encountered a connection error|Client was closed|Cannot use a pool after calling end|Postgres connection has been discarded|driver has already been destroyed)/;

export const codeOf = (error: unknown): string | undefined => {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
};

/** Why a reachable database refuses writes. */
export type WriteFault = 'database_full' | 'database_read_only';

function writeFault(error: unknown): WriteFault | undefined {
  const code = codeOf(error);
  if (code === '53100') return 'database_full'; // disk_full
  // insufficient_privilege and io_error: PostgreSQL has no code for EROFS
  const isOfFiles = code === '42501' || code === '58030';
  if (!isOfFiles || !(error instanceof Error)) return undefined;
  return error.message.endsWith(': Read-only file system') ? 'database_read_only' : undefined;
}

/** read_only_sql_transaction: a standby, reached around a failover, or a server that was told to accept no changes. */
const isOfReadOnlyServer = (error: unknown): boolean => codeOf(error) === '25006';

/** A coordinator of Citus has lost a worker while a transaction used it; it reports an internal error. */
const LOST_WORKER_MESSAGE = 'failure on connection marked as essential';

/** Whether the error is one of the connection, not of the statement. */
function isUnreachable(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isUnreachable);
  if (error instanceof Error && error.message.startsWith(LOST_WORKER_MESSAGE)) return true;
  const code = codeOf(error);
  if (code !== undefined)
    return UNREACHABLE.has(code) || UNAVAILABLE_STATES.has(code) || code.startsWith('08');
  return error instanceof Error && LOST_MESSAGES.test(error.message);
}

/** Whether the connection must be closed. */
export function breaksConnection(error: unknown): boolean {
  // after a failover, a pooled connection would still lead to the standby
  return isUnreachable(error) || isStalled(error) || isOfReadOnlyServer(error);
}

/** The cause of a fault: the connection leads to a standby, whose data may be outdated. */
export class StandbyError extends Error {
  constructor() {
    super('the connection leads to a standby');
  }
}

/** The fault of a connection that leads to a standby. */
export function standbyReached(): ServiceError {
  const cause = new StandbyError();
  return new ServiceError('database_unavailable', { cause, retryAfter: RETRY_AFTER_SECONDS });
}

const FAULTS: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'database_unavailable',
  'database_busy',
  'database_full',
  'database_read_only',
]);

/** Whether the database is unavailable, too busy, or refuses writes, so that a retry may succeed. */
export function isDatabaseFault(error: unknown): boolean {
  const fault = asServiceError(error);
  return fault instanceof ServiceError && FAULTS.has(fault.code);
}

const isBusy = (code: string | undefined): code is string =>
  code !== undefined && Object.hasOwn(BUSY_STATES, code);

const isStalled = (error: unknown): boolean => error instanceof Error && error.message === STALLED_MESSAGE;

/** Two transactions conflicted, or the connection's plans were outdated; running the same again is right. */
function isRetryable(error: unknown): boolean {
  const code = codeOf(error);
  return code === '40001' || code === '40P01' || isPlanOutdated(error);
}

/** Does work again, up to five times in all, when it conflicted with another transaction. It must have no effect if it fails. */
export async function retrying<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (!isRetryable(error) || attempt === 5) throw error;
      await new Promise((resolve) => setTimeout(resolve, 10 * attempt + Math.random() * 20));
    }
  }
}

/**
 * Whether a table has changed since the statement was prepared on this connection, because a newer node migrated it. The
 * prepared statement cannot run on this connection any more. PostgreSQL has no specific error code for this.
 */
export function isPlanOutdated(error: unknown): boolean {
  return (
    codeOf(error) === '0A000' &&
    error instanceof Error &&
    error.message.startsWith('cached plan must not change')
  );
}

/**
 * Maps errors of the database to `database_unavailable`, `database_busy`, `database_full` and `database_read_only` (503 with
 * Retry-After).
 *
 * @param statement - that failed; the log names its kind
 * @param diskFault - determines whether the disk is the reason why an embedded database is unavailable
 */
export function asServiceError(
  error: unknown,
  statement = '',
  diskFault: () => WriteFault | undefined = () => undefined,
): unknown {
  if (error instanceof ServiceError) return error;
  const code = codeOf(error);
  if (isBusy(code) || isStalled(error)) {
    const what = isBusy(code)
      ? BUSY_STATES[code]
      : 'was given up after the database had not answered in time';
    const cause = new Error(`${kindOf(statement)} ${what}`, { cause: error });
    return new ServiceError('database_busy', { cause, retryAfter: BUSY_RETRY_AFTER_SECONDS });
  }
  if (isOfReadOnlyServer(error)) {
    const message = 'The database accepts no changes at the moment: its server is a standby, or read-only.';
    return new ServiceError('database_unavailable', {
      message,
      cause: error,
      retryAfter: RETRY_AFTER_SECONDS,
    });
  }
  const isUnavailable = isUnreachable(error);
  const fault = writeFault(error) ?? (isUnavailable ? diskFault() : undefined);
  if (fault !== undefined)
    return new ServiceError(fault, { cause: error, retryAfter: DISK_RETRY_AFTER_SECONDS });
  if (!isUnavailable) return error;
  return new ServiceError('database_unavailable', { cause: error, retryAfter: RETRY_AFTER_SECONDS });
}

/** The kind of a statement, and its first table: `update products`. */
export function kindOf(statement: string): string {
  const [, verb, table] = /\b(insert into|update|delete from|from)\s+"?([a-z_]+)/i.exec(statement) ?? [];
  if (verb === undefined) return 'a statement';
  return `${verb.toLowerCase().replace(/^from$/, 'select from')} ${table}`;
}
