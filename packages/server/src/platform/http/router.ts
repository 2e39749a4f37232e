import type { Operation } from '@touchstone/contract';
import findMyWay from 'find-my-way';
import type { Route } from './route.ts';
import { fixedHeaders } from './send.ts';

/** A route with what is computed once for it. */
export interface PreparedRoute {
  readonly route: Route;
  /** Headers of each of its answers. */
  readonly fixed: Readonly<Record<string, string>>;
}

/** A route that matches a request. */
export interface Match {
  readonly prepared: PreparedRoute;
  /** Percent-decoded. */
  readonly params: Readonly<Record<string, string | undefined>>;
  readonly query: Readonly<Record<string, unknown>>;
}

export interface Router {
  /** `null` if the path has no operation for this method, or is not percent-encoded UTF-8. HEAD is answered as GET. */
  find(method: string, url: string): Match | null;
  /** The operations of a path, with any method. */
  operationsAt(url: string): readonly Operation[];
}

/** Longer than any address that is accepted: the length of a parameter is checked by its schema, instead of a 404. */
const MAX_PARAMETER = 16 * 1024;

export function createRouter(routes: readonly Route[]): Router {
  const router = findMyWay({ maxParamLength: MAX_PARAMETER });
  for (const route of routes) {
    const prepared: PreparedRoute = { route, fixed: fixedHeaders(route) };
    router.on(route.method, route.path.replace(/\{([^}]+)\}/g, ':$1'), unused, prepared);
  }
  const methods = [...new Set(routes.map(({ method }) => method))];
  const find = (method: string, url: string): Match | null => {
    // the whole server (RFC 9112 section 3.2.4), which the library takes for the root
    if (url === '*') return null;
    const found = router.find((method === 'HEAD' ? 'GET' : method) as 'GET', url);
    if (found === null) return null;
    return { prepared: found.store as PreparedRoute, params: found.params, query: found.searchParams };
  };
  return {
    find,
    operationsAt: (url) => methods.flatMap((method) => find(method, url)?.prepared.route ?? []),
  };
}

/** The library requires a handler; the found route is called by us. */
const unused = () => undefined;
