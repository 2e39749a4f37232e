import { FetchFault } from '@touchstone/page/fetch';
import { isDatabaseUnreachable } from '../platform/database/database-fault.ts';

/** SQLSTATE disk_full (PostgreSQL manual, appendix A). */
const DISK_FULL = '53100';

/** A database or network that is away comes back by itself; on a disk somebody has to make room. */
export function faultLevel(fault: unknown): 'warn' | 'error' {
  const causes: Error[] = [];
  for (let each = fault; each instanceof Error; each = each.cause) causes.push(each);
  if (causes.some((cause) => 'code' in cause && cause.code === DISK_FULL)) return 'error';
  return causes.some((cause) => cause instanceof FetchFault || isDatabaseUnreachable(cause))
    ? 'warn'
    : 'error';
}
