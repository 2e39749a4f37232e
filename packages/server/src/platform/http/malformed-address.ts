import type { Operation } from '@touchstone/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Credentials, identify } from './authenticate.ts';
import { fixedHeaders } from './send.ts';
import type { PathOperations } from './unrouted.ts';
import { ValidationFault } from './validation/validate.ts';

/**
 * The fault for a URL that is not percent-encoded UTF-8, which the framework refuses before routing. In a parameter of an
 * existing path, it is a fault of that parameter, like any other invalid value.
 *
 * @throws ServiceError if the caller is not allowed to call the operation
 */
export async function malformedAddressFault(
  error: unknown,
  { method, raw, headers }: FastifyRequest,
  reply: FastifyReply,
  { find, credentials }: { find: (url: string) => PathOperations | null; credentials: Credentials },
): Promise<unknown> {
  const [path = ''] = (raw.url ?? '').split(/[?#]/, 1);
  const asked = method === 'HEAD' ? 'GET' : method;
  const operation = find(path)?.operations.find((one) => one.method === asked);
  const names = operation === undefined ? [] : malformedParameters(operation, path);
  if (operation === undefined || names.length === 0) return error;
  reply.headers(fixedHeaders(operation));
  await identify({ method, headers }, operation, credentials);
  const msg = 'Input should be percent-encoded UTF-8';
  return new ValidationFault(names.map((name) => ({ loc: ['path', name], msg, type: 'string_unicode' })));
}

function malformedParameters({ path: template }: Operation, path: string): string[] {
  const segments = path.split('/');
  return template.split('/').flatMap((part, i) => {
    const name = /^\{([^}]+)\}$/.exec(part)?.[1];
    return name === undefined || isDecodable(segments[i] ?? '') ? [] : [name];
  });
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
