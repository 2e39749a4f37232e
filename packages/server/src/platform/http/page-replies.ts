import type { FastifyRequest } from 'fastify';
import type { PageOf, Reply, Route } from './route.ts';
import { wantsPage } from './wants-page.ts';

/** The page with which a request is answered, if any. */
export function pageFor(route: Route | undefined, { headers }: FastifyRequest): PageOf | undefined {
  return route?.pageOf !== undefined && wantsPage(headers) ? route.pageOf : undefined;
}

/** The page that shows an answer, for a person; the answer itself for programs. */
export function pageOrReply(route: Route | undefined, request: FastifyRequest, reply: Reply): Reply {
  const pageOf = pageFor(route, request);
  return pageOf === undefined
    ? reply
    : pageOf(reply, { url: request.raw.url ?? '', headers: request.headers });
}
