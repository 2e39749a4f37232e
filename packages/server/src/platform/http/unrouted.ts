import type { Operation } from '@touchstone/contract';

/** The operations at a path that has none for the requested method. */
export interface PathOperations {
  readonly operations: readonly Operation[];
  /** Value of `Allow`. */
  readonly allow: string;
}

/** Creates a lookup of all operations whose path template matches a URL, with any method; `null` if there are none. */
export function createPathIndex(operations: readonly Operation[]): (url: string) => PathOperations | null {
  const index = operations.map((operation) => ({ pattern: pathPattern(operation.path), operation }));
  return (url) => {
    const path = url.split(/[?#]/, 1)[0] ?? '';
    const found = index.filter(({ pattern }) => pattern.test(path)).map(({ operation }) => operation);
    return found.length === 0 ? null : { operations: found, allow: allowOf(found) };
  };
}

function pathPattern(path: string): RegExp {
  const escaped = path.replace(/[.*+?^$()|[\]\\]/g, String.raw`\$&`);
  return new RegExp(`^${escaped.replace(/\{[^}]+\}/g, '[^/]+')}$`);
}

function allowOf(operations: readonly Operation[]): string {
  const methods = new Set<string>(operations.map(({ method }) => method));
  if (methods.has('GET')) methods.add('HEAD');
  return [...methods, 'OPTIONS'].join(', ');
}
