import type { Operation } from '@touchstone/contract';

/** Response headers that scripts on other origins may read. */
const EXPOSED = 'Age, ETag, Content-Location, Link, X-Request-Id, Retry-After, RateLimit, RateLimit-Policy';
const ALLOWED = 'Accept, Authorization, Content-Type, If-None-Match, X-Request-Id';
/** Seconds that a browser may keep the answer of a preflight; browsers cap it at a day or less. */
const PREFLIGHT_MAX_AGE = '86400';

/** Public answers carry no cookies, so any origin may read them. */
export function crossOriginHeaders({
  anyOrigin,
}: Pick<Operation, 'anyOrigin'>): Readonly<Record<string, string>> {
  if (anyOrigin !== true) return {};
  return { 'access-control-allow-origin': '*', 'access-control-expose-headers': EXPOSED };
}

/** The answer to OPTIONS for a path; without CORS headers if no operation of the path has them. */
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
