import type { Operation } from '@touchstone/contract';
import { ServiceError } from '../platform/errors.ts';
import type { Route } from '../platform/http/route.ts';
import type { Part } from './part.ts';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** Routes at the addresses of the parts that the service runs without: 404, saying so. */
export function absentRoutes(all: readonly Part[], present: readonly Part[]): readonly Route[] {
  const absent = all.filter((part) => !present.includes(part));
  const at = (operations: readonly Operation[], name: string) =>
    operations.map(({ path }) => [path, name] as const);
  // one part serves the HTML pages of all; those of a part that is absent itself are first of all that part's
  const pages = all.flatMap((part) => part.pages ?? []).map(({ operation }) => operation);
  const paths = new Map([
    ...absent.flatMap(({ name, servesPages }) => (servesPages === true ? at(pages, name) : [])),
    ...absent.flatMap(({ name, operations }) => at(operations, name)),
  ]);
  return [...paths].flatMap(([path, name]) => METHODS.map((method) => absentRoute(method, path, name)));
}

function absentRoute(method: Route['method'], path: string, name: string): Route {
  return {
    id: `without ${name}`,
    method,
    path,
    tag: 'Registry',
    summary: `What "${name}" would answer`,
    access: 'public',
    unlisted: true,
    anyQuery: true,
    // a body is not read
    rawBody: true,
    replies: {},
    errors: ['part_left_out'],
    handle: async () => {
      throw new ServiceError('part_left_out', {
        message: `This service runs without "${name}", which would answer this call.`,
      });
    },
  };
}
