import type { IncomingMessage, ServerResponse } from 'node:http';
import { type CutPath, cutPath, isAt } from './fast-path-address.ts';
import { DEFAULT_BODY_LIMIT } from './request-body.ts';
import type { Route } from './route.ts';
import { fixedHeaders } from './send.ts';
import { parseJsonBody } from './validation/json-body.ts';

/** How clients write the type of JSON; whatever else says the same is read the usual way. */
const JSON_TYPES: ReadonlySet<string | undefined> = new Set([
  'application/json',
  'application/json; charset=utf-8',
  'application/json;charset=utf-8',
]);

/** A route that may answer a call from memory. */
export interface FastPathCall {
  readonly route: Route;
  /** Whether all of the body is there, and no more. */
  isWhole(request: IncomingMessage): boolean;
  /** The JSON that answers it; `undefined`, with the body still to be read, where it is not at hand. */
  answer(request: IncomingMessage): string | undefined;
  write(response: ServerResponse, answer: string, requestId: string): void;
}

export interface FastPathCalls {
  /** What may answer a POST of JSON with nothing unusual about it. */
  of(request: IncomingMessage): FastPathCall | undefined;
}

/** POSTs of these routes that are answered from memory. */
export function callsAmong(all: readonly Route[]): FastPathCalls {
  const calls = all.flatMap((route): { path: CutPath; limit: number; call: FastPathCall }[] => {
    const path = cutPath(route.path);
    const { answerAtHand } = route;
    if (answerAtHand === undefined || route.method !== 'POST' || path === null) return [];
    return [
      { path, limit: route.bodyLimit ?? DEFAULT_BODY_LIMIT, call: fastPathCall(route, path, answerAtHand) },
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
        // whose key it is would be asked
        headers.authorization === undefined;
      return isPlain ? found.call : undefined;
    },
  };
}

function fastPathCall(
  route: Route,
  path: CutPath,
  answerAtHand: NonNullable<Route['answerAtHand']>,
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
        answerAtHand({ id: url.slice(path.before.length, path.afterAt), body, headers }),
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
      // a text goes out in one piece with the head; of ASCII alone, byte by byte
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
    // the usual way meets it again, and tells
    return undefined;
  }
}
