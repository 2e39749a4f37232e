import type { IncomingMessage, ServerResponse } from 'node:http';
import { type CutPath, cutPath, isAt } from './fast-path-address.ts';
import { DEFAULT_BODY_LIMIT } from './request-body.ts';
import type { Route } from './route.ts';
import { fixedHeaders } from './send.ts';
import { parseJsonBody } from './validation/json-body.ts';

/** How most clients write the media type of JSON; other spellings go through the framework. */
const JSON_TYPES: ReadonlySet<string | undefined> = new Set([
  'application/json',
  'application/json; charset=utf-8',
  'application/json;charset=utf-8',
]);

/** A route that may answer a call from the cache. */
export interface FastPathCall {
  readonly route: Route;
  /** Whether exactly the whole body has been received. */
  isWhole(request: IncomingMessage): boolean;
  /** The answer as JSON; `undefined` if it is not cached: then the body can still be read. */
  answer(request: IncomingMessage): string | undefined;
  write(response: ServerResponse, answer: string, requestId: string): void;
}

export interface FastPathCalls {
  /** The route that may answer an ordinary POST of JSON. */
  of(request: IncomingMessage): FastPathCall | undefined;
}

/** POSTs of these routes that are answered from the cache. */
export function callsAmong(all: readonly Route[]): FastPathCalls {
  const calls = all.flatMap((route): { path: CutPath; limit: number; call: FastPathCall }[] => {
    const path = cutPath(route.path);
    const { cachedAnswer } = route;
    if (cachedAnswer === undefined || route.method !== 'POST' || path === null) return [];
    return [
      { path, limit: route.bodyLimit ?? DEFAULT_BODY_LIMIT, call: fastPathCall(route, path, cachedAnswer) },
    ];
  });
  return {
    of({ url = '', headers }) {
      const found = calls.find(({ path }) => url.length === path.length && isAt(url, path));
      if (found === undefined || !JSON_TYPES.has(headers['content-type'])) return undefined;
      const length = Number(headers['content-length']);
      const isPlain =
        length > 0 &&
        length <= found.limit &&
        headers['content-encoding'] === undefined &&
        // an API key would have to be looked up
        headers.authorization === undefined;
      return isPlain ? found.call : undefined;
    },
  };
}

function fastPathCall(
  route: Route,
  path: CutPath,
  cachedAnswer: NonNullable<Route['cachedAnswer']>,
): FastPathCall {
  const fixed = Object.entries(fixedHeaders(route)).flat();
  const own = route.noStore === true ? ['cache-control', 'no-store'] : [];
  return {
    route,
    isWhole: ({ headers, readableLength }) => readableLength === Number(headers['content-length']),
    answer(request) {
      const { url = '', headers } = request;
      const bytes = request.read() as Buffer;
      const answer = answerOf(bytes, (body) =>
        cachedAnswer({ id: url.slice(path.before.length, path.afterAt), body, headers }),
      );
      if (answer === undefined) request.unshift(bytes);
      return answer;
    },
    write(response, answer, requestId) {
      const length = Buffer.byteLength(answer);
      const lines = [
        ...fixed,
        'x-request-id',
        requestId,
        ...own,
        'content-type',
        'application/json',
        'content-length',
        String(length),
      ];
      // a string is written together with the head; pure ASCII needs no encoding
      response.writeHead(200, lines).end(answer, length === answer.length ? 'latin1' : 'utf8');
    },
  };
}

function answerOf(bytes: Uint8Array, answer: (body: unknown) => string | undefined): string | undefined {
  const body = parseJsonBody(bytes);
  if (body.kind === 'invalid') return undefined;
  try {
    return answer(body.value);
  } catch {
    // the framework encounters the same fault again, and reports it
    return undefined;
  }
}
