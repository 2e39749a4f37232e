import type { Operation } from '@touchstone/contract';

/** Response headers that a script on another origin may read. */
const EXPOSED = 'ETag, X-Request-Id, Retry-After, RateLimit, RateLimit-Policy';
const ALLOWED = 'Accept, Authorization, Content-Type, If-None-Match, X-Request-Id';
/** Seconds that a browser may keep the answer of a preflight; browsers cap it at a day or less. */
const PREFLIGHT_MAX_AGE = '86400';

/** Public answers carry no cookies, so any origin may read them. */
export function crossOriginHeaders(
  operation: Pick<Operation, 'anyOrigin'>,
): Readonly<Record<string, string>> {
  if (operation.anyOrigin !== true) return {};
  return { 'access-control-allow-origin': '*', 'access-control-expose-headers': EXPOSED };
}

/** Answer to OPTIONS for a path of these operations; says nothing across origins where none of them does. */
export function preflightHeaders(operations: readonly Operation[], allow: string): Record<string, string> {
  const open = operations.filter(({ anyOrigin }) => anyOrigin === true);
  if (open.length === 0) return { allow };
  const methods = open.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
  return {
    allow,
    'access-control-allow-origin': '*',
    'access-control-allow-methods': methods.join(', '),
    'access-control-allow-headers': ALLOWED,
    'access-control-max-age': PREFLIGHT_MAX_AGE,
  };
}
