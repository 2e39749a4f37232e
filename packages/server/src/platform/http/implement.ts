import type { CheckedInput, Operation, ReplyShape, Wire } from '@touchstone/contract';
import type { z } from 'zod';
import { andThen } from '../and-then.ts';
import type { ByteText, Ndjson, Rendered, RenderedDocument } from './rendered-document.ts';
import type { Call, Reply, Route } from './route.ts';

/** What may answer an operation: one of its replies except 304, which is derived from a 200 by its ETag. */
export type AnswerOf<O extends Operation> = {
  [S in Exclude<keyof O['replies'] & number, 304>]: Answer<S, O['replies'][S]>;
}[Exclude<keyof O['replies'] & number, 304>];

type Answer<S extends number, R extends ReplyShape> = {
  readonly status: S;
  readonly headers?: Readonly<Record<string, string>>;
} & (R extends { readonly schema: infer T extends z.ZodType }
  ? { readonly body: Payload<Wire<z.output<T>>> | Lines<R> | Also<R> }
  : R extends { readonly mediaType: 'application/json' }
    ? { readonly body: object }
    : R extends { readonly mediaType: string }
      ? { readonly body: string | Uint8Array | ByteText | AsyncIterable<Uint8Array | string> }
      : { readonly body?: never });

/** A value, or its JSON if already rendered. */
type Payload<T> = T | Rendered<T>;

/** The answer as its other media type. */
type Also<R> = R extends { readonly alsoAs: string } ? ByteText : never;

/** The answer to an NDJSON body, line by line. */
type Lines<R> = R extends { readonly line: infer T extends z.ZodType }
  ? AsyncIterable<Ndjson<Wire<z.output<T>>>>
  : never;

/**
 * Implements an operation of the contract: `handler` receives validated input, and may answer only with the operation's replies.
 */
export function implement<const O extends Operation>(
  operation: O,
  handler: (input: CheckedInput<O>, call: Call) => AnswerOf<O> | Promise<AnswerOf<O>>,
): Route {
  // validated by the operation's schemas before it gets here
  const handle = handler as unknown as Route['handle'];
  const { noStore, cacheControl } = operation;
  if (noStore === true) return { ...operation, handle: withoutStore(handle) };
  if (cacheControl === undefined) return { ...operation, handle };
  return { ...operation, handle: (input, call) => andThen(handle(input, call), cachedAs(cacheControl)) };
}

/** Success may be cached as the operation says, unless the answer says how. */
function cachedAs(cacheControl: string): (reply: Reply) => Reply {
  return (reply) =>
    reply.status !== 200 || reply.headers?.['cache-control'] !== undefined
      ? reply
      : { ...reply, headers: { 'cache-control': cacheControl, ...reply.headers } };
}

function withoutStore(handle: Route['handle']): Route['handle'] {
  return (input, call) =>
    andThen(handle(input, call), (reply) => {
      if (reply.body === undefined) return reply;
      return { ...reply, headers: { 'cache-control': 'no-store', ...reply.headers } };
    });
}

export function ok<T>(body: T): { readonly status: 200; readonly body: T } {
  return { status: 200, body };
}

export function created<T>(body: T): { readonly status: 201; readonly body: T } {
  return { status: 201, body };
}

/** @param location - path that shows the progress of the remaining work */
export function accepted<T>(body: T, location: string) {
  return { status: 202, headers: { location }, body } as const;
}

export const NO_CONTENT = { status: 204 } as const satisfies Reply;

/** An already rendered document, sent byte for byte. */
export function documentReply<T>(document: RenderedDocument<T>) {
  return { status: 200, headers: document.headers, body: document.body } as const;
}
