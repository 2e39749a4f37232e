import type { Operation } from './operation.ts';

/** What the operation table says of a path that no route answered with the method asked for. */
export interface PathRows {
  readonly rows: readonly Operation[];
  /** Value of Allow. */
  readonly allow: string;
}

/** Finds the rows of a path, whatever the method; null where no row has that path. */
export function createPathIndex(rows: readonly Operation[]): (url: string) => PathRows | null {
  const byPath = Map.groupBy(rows, (row) => row.path);
  const index = [...byPath].map(([path, group]) => ({
    pattern: pathPattern(path),
    rows: group,
    allow: allowOf(group),
  }));
  return (url) => {
    const path = url.split(/[?#]/, 1)[0] ?? '';
    return index.find(({ pattern }) => pattern.test(path)) ?? null;
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
