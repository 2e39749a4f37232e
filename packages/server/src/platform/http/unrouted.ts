import { andThen } from '../and-then.ts';
import { ServiceError } from '../errors.ts';
import { type Credentials, identify } from './authenticate.ts';
import { preflightHeaders } from './cors.ts';
import { type FaultContext, faultReply } from './fault-reply.ts';
import type { Reply } from './route.ts';
import type { Match, Router } from './router.ts';
import type { Exchange } from './send.ts';
import { ValidationFault } from './validation/validate.ts';

/**
 * The answer to a request whose path has no operation for its method.
 *
 * @throws ServiceError `route_unknown`
 */
export function unroutedReply(
  router: Router,
  { request, requestId }: Exchange,
  context: FaultContext,
): Reply {
  const operations = router.operationsAt(request.url ?? '');
  if (operations.length === 0) throw new ServiceError('route_unknown');
  const methods = new Set<string>(operations.map(({ method }) => method));
  if (methods.has('GET')) methods.add('HEAD');
  const allow = [...methods, 'OPTIONS'].join(', ');
  if (request.method === 'OPTIONS') return { status: 204, headers: preflightHeaders(operations, allow) };
  const fault = new ServiceError('method_not_allowed', { message: `This address supports ${allow}.` });
  const reply = faultReply(fault, requestId, context);
  return { ...reply, headers: { ...reply.headers, allow } };
}

/** Whether the path of an address is percent-encoded UTF-8. */
export function isWellEncoded(url: string): boolean {
  return isDecodable(pathOf(url));
}

/** The route of an address that is not, with its parameters as they are written. */
export function findMalformed(router: Router, method: string, url: string): Match | null {
  return router.find(method, pathOf(url).replaceAll('%', '%25'));
}

/**
 * The fault of an address that is not percent-encoded UTF-8: in a parameter of an existing path it is a fault of that parameter,
 * like any other invalid value.
 *
 * @throws ServiceError `bad_request`; or if the caller is not allowed to call the operation
 */
export function malformedReply(match: Match | null, { request }: Exchange, credentials: Credentials) {
  const names = Object.entries(match?.params ?? {}).filter(([, value]) => !isDecodable(value ?? ''));
  if (match === null || names.length === 0) {
    throw new ServiceError('bad_request', { message: 'The address contains malformed percent-encoding.' });
  }
  return andThen(identify(request, match.prepared.route, credentials), (): never => {
    const msg = 'Input should be percent-encoded UTF-8';
    throw new ValidationFault(names.map(([name]) => ({ loc: ['path', name], msg, type: 'string_unicode' })));
  });
}

const pathOf = (url: string): string => url.split(/[?#]/, 1)[0] ?? '';

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
