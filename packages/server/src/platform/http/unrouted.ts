import type { Operation } from '@touchstone/contract';

/** What the operation table says of a path that no route answered with the method asked for. */
export interface PathRows {
  readonly rows: readonly Operation[];
  /** Value of Allow. */
  readonly allow: string;
}

/** Finds the rows of a path, whatever the method, of every template that it is one of; null where there are none. */
export function createPathIndex(rows: readonly Operation[]): (url: string) => PathRows | null {
  const index = rows.map((row) => ({ pattern: pathPattern(row.path), row }));
  return (url) => {
    const path = url.split(/[?#]/, 1)[0] ?? '';
    const found = index.filter(({ pattern }) => pattern.test(path)).map(({ row }) => row);
    return found.length === 0 ? null : { rows: found, allow: allowOf(found) };
  };
}

function pathPattern(path: string): RegExp {
  const escaped = path.replace(/[.*+?^$()|[\]\\]/g, String.raw`\$&`);
  return new RegExp(`^${escaped.replace(/\{[^}]+\}/g, '[^/]+')}$`);
}

function allowOf(rows: readonly Operation[]): string {
  const methods = new Set<string>(rows.map((row) => row.method));
  if (methods.has('GET')) methods.add('HEAD');
  return [...methods, 'OPTIONS'].join(', ');
}
