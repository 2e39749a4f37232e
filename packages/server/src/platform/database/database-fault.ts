import { ServiceError } from '../errors.ts';

/** Seconds: an embedded server is back within about two, a failover within a few more. */
const RETRY_AFTER_SECONDS = 2;

/** Socket and name faults that say "it cannot be reached", by Node's codes. */
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
  '53100', // disk_full
  '53200', // out_of_memory
  '53300', // too_many_connections
  '55P03', // lock_not_available: our lock_timeout
  '57014', // query_canceled: our statement_timeout
  '57P01', // admin_shutdown
  '57P02', // crash_shutdown
  '57P03', // cannot_connect_now
  '57P05', // idle_session_timeout
  '28000', // invalid_authorization_specification: a pool's new connection is refused
  '28P01', // invalid_password: it was changed meanwhile
  '3D000', // invalid_catalog_name: the database is being restored
  '25P03', // idle_in_transaction_session_timeout
  '25P04', // transaction_timeout
  '25006', // read_only_sql_transaction: a standby after a failover
  '58030', // io_error
]);

/** pg reports a lost connection by its message alone. */
const LOST_MESSAGES =
  /^(Connection terminated|Query read timeout|timeout exceeded when trying to connect|timeout expired|Client has encountered a connection error|Client was closed|Cannot use a pool after calling end|Postgres connection has been discarded|driver has already been destroyed)/;

const codeOf = (error: unknown): string | undefined => {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
};

/** Whether the fault lies in reaching the database, not in what was asked of it. */
export function isDatabaseUnreachable(error: unknown): boolean {
  if (error instanceof ServiceError) return error.code === 'database_unavailable';
  if (error instanceof AggregateError) return error.errors.some(isDatabaseUnreachable);
  const code = codeOf(error);
  if (code !== undefined)
    return UNREACHABLE.has(code) || UNAVAILABLE_STATES.has(code) || code.startsWith('08');
  return error instanceof Error && LOST_MESSAGES.test(error.message);
}

/** Two transactions conflicted, or the connection's plans were outdated; running the same again is right. */
export function isRetryable(error: unknown): boolean {
  const code = codeOf(error);
  return code === '40001' || code === '40P01' || isPlanOutdated(error);
}

/**
 * A table changed since the statement was prepared on this connection (a newer node migrated it): no statement of that name
 * can run on it any more. PostgreSQL has no code of its own for it.
 */
export function isPlanOutdated(error: unknown): boolean {
  return (
    codeOf(error) === '0A000' &&
    error instanceof Error &&
    error.message.startsWith('cached plan must not change')
  );
}

/** The one place where faults of the connection become `database_unavailable` (503 with Retry-After). */
export function asServiceError(error: unknown): unknown {
  if (error instanceof ServiceError || !isDatabaseUnreachable(error)) return error;
  return new ServiceError('database_unavailable', { cause: error, retryAfter: RETRY_AFTER_SECONDS });
}
