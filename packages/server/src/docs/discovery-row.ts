import { type Operation, operation, type Reply } from '../platform/http/operation.ts';

/** Of what says where things are: it changes with the settings only. */
export const CACHED = { 'cache-control': 'public, max-age=3600' };

/** Public, for every origin, and no part of the API that OpenAPI describes. */
export function discoveryRow(
  id: string,
  path: string,
  summary: string,
  reply: (accept: string | undefined) => Reply,
): Operation {
  return operation({
    id,
    method: 'GET',
    path,
    tag: 'Operations',
    summary,
    access: 'public',
    anyOrigin: true,
    responses: {},
    errors: [],
    handle: async (_, call) => reply(call.headers.accept),
  });
}
