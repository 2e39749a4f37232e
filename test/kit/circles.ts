import { dirname } from 'node:path';
import { type Import, packageOf } from './imports.ts';

/** A folder, and those of its children (files and folders) that import each other circularly. */
export interface Circle {
  readonly folder: string;
  readonly children: readonly string[];
}

/**
 * Circles at every level: within each folder, the imports between its children, with a folder standing for all its files, must have no
 * cycles. This also excludes cycles of files.
 */
export function importCircles(imports: readonly Import[]): Circle[] {
  const graphs = new Map<string, Map<string, Set<string>>>();
  for (const { file, target } of imports) {
    if (target === null || target === file || packageOf(target) !== packageOf(file)) continue;
    const folder = sharedFolder(file, target);
    const graph = graphs.get(folder) ?? new Map<string, Set<string>>();
    graphs.set(folder, graph);
    const from = childOf(folder, file);
    graph.set(from, (graph.get(from) ?? new Set()).add(childOf(folder, target)));
  }
  return [...graphs].flatMap(([folder, graph]) => {
    const children = [...graph.keys()].filter((name) => reachable(graph, name).has(name)).toSorted();
    return children.length === 0 ? [] : [{ folder, children }];
  });
}

function sharedFolder(one: string, other: string): string {
  let folder = dirname(one);
  while (!other.startsWith(`${folder}/`)) folder = dirname(folder);
  return folder;
}

function childOf(folder: string, path: string): string {
  return path.slice(folder.length + 1).split('/', 1)[0] ?? '';
}

/** All nodes reachable from `start` by one or more steps. */
function reachable(graph: ReadonlyMap<string, ReadonlySet<string>>, start: string): Set<string> {
  const found = new Set<string>();
  const open = [...(graph.get(start) ?? [])];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (found.has(next)) continue;
    found.add(next);
    open.push(...(graph.get(next) ?? []));
  }
  return found;
}
