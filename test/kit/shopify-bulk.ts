/** Bulk operations of the Shopify shop for tests: mutations over an uploaded file, and queries, with their possible outcomes. */
import type { ServerResponse } from 'node:http';
import { type GraphQLResolveInfo, type GraphQLSchema, graphql } from 'graphql';

/** The outcome of the next bulk query, instead of a complete file. */
export type BulkEnd =
  | { readonly status: 'FAILED' | 'CANCELED' | 'EXPIRED'; readonly errorCode?: string }
  /** `LIMIT_REACHED`: it is not started. */
  | { readonly refused: string }
  /** A file with lines derived from the complete ones. */
  | { readonly lines: (lines: string[]) => string[] }
  /** The operation has ended without a file. */
  | 'empty'
  /** The file's address responds with 403. */
  | 'gone'
  /** The connection breaks in the middle of the file, the first time. */
  | 'broken_off'
  /** It runs until it is released. */
  | 'held';

export interface Bulk {
  readonly uploads: Map<string, string>;
  /** Files by the number of their operation. */
  readonly outcomes: Map<string, string>;
  readonly ends: BulkEnd[];
  /** Whether each query requested grouped objects. */
  readonly grouped: boolean[];
  /** Lets held operations end. */
  release(): void;
}

interface State extends Bulk {
  readonly running: Map<string, { readonly collected: number }>;
  readonly held: Set<string>;
  readonly endOf: Map<string, BulkEnd>;
  readonly counts: Map<string, number>;
}

export function createBulk(): Bulk {
  const state: State = {
    uploads: new Map(),
    outcomes: new Map(),
    ends: [],
    grouped: [],
    running: new Map(),
    held: new Set(),
    endOf: new Map(),
    counts: new Map(),
    release() {
      for (const number of state.held) state.running.delete(number);
      state.held.clear();
    },
  };
  return state;
}

const gidOf = (number: string) => `gid://shopify/BulkOperation/${number}`;

export function bulkOf(bulk: Bulk, shop: string) {
  const state = bulk as State;
  const begin = (collected: number): string => {
    const number = String(state.counts.size);
    state.counts.set(number, collected);
    state.running.set(number, { collected });
    return number;
  };
  return {
    stagedUploadsCreate: () => ({
      userErrors: [],
      stagedTargets: [
        {
          url: `https://${shop}/upload`,
          parameters: [{ name: 'key', value: `tmp/${state.uploads.size}/certificates.jsonl` }],
        },
      ],
    }),
    bulkOperationRunMutation(
      { mutation, stagedUploadPath }: { mutation: string; stagedUploadPath: string },
      _: unknown,
      { schema, rootValue }: GraphQLResolveInfo,
    ) {
      const lines = state.uploads.get(stagedUploadPath)?.split('\n') ?? [];
      const number = begin(lines.length);
      const work = async () => {
        const outcomes: string[] = [];
        for (const [index, line] of lines.entries()) {
          const variableValues = JSON.parse(line) as Record<string, unknown>;
          const result = await graphql({ schema, source: mutation, rootValue, variableValues });
          outcomes.push(JSON.stringify({ ...result, __lineNumber: index }));
        }
        state.outcomes.set(number, outcomes.join('\n'));
        state.running.delete(number);
      };
      void work();
      return { userErrors: [], bulkOperation: operationOf(state, shop, number) };
    },
    async bulkOperationRunQuery(
      { query, groupObjects }: { query: string; groupObjects: boolean },
      _: unknown,
      { schema, rootValue }: GraphQLResolveInfo,
    ) {
      const end = state.ends.shift();
      if (typeof end === 'object' && 'refused' in end)
        return { bulkOperation: null, userErrors: [{ code: end.refused, message: 'Not now.' }] };
      state.grouped.push(groupObjects);
      const products = await collect(query, schema, rootValue);
      const number = begin(products.length);
      if (end !== undefined) state.endOf.set(number, end);
      const lines = products.flat();
      const altered = typeof end === 'object' && 'lines' in end ? end.lines(lines) : lines;
      state.outcomes.set(number, altered.join('\n'));
      if (end === 'held') state.held.add(number);
      else state.running.delete(number);
      return { userErrors: [], bulkOperation: operationOf(state, shop, number) };
    },
    bulkOperation: ({ id }: { id: string }) => operationOf(state, shop, id.slice(id.lastIndexOf('/') + 1)),
  };
}

function operationOf(state: State, shop: string, number: string) {
  if (!state.counts.has(number)) return null;
  const end = state.endOf.get(number);
  const isOver = !state.running.has(number);
  const failed = typeof end === 'object' && 'status' in end ? end : undefined;
  const hasFile = isOver && failed === undefined && end !== 'empty';
  return {
    id: gidOf(number),
    status: isOver ? (failed?.status ?? 'COMPLETED') : 'RUNNING',
    errorCode: isOver ? (failed?.errorCode ?? null) : null,
    url: hasFile ? `https://${shop}/outcome/${number}` : null,
    // the partial result of a failed operation
    partialDataUrl: isOver && failed !== undefined ? `https://${shop}/outcome/${number}` : null,
    rootObjectCount: String(state.counts.get(number) ?? 0),
  };
}

/** Lines of each product: its own, then those of its children. */
async function collect(query: string, schema: GraphQLSchema, rootValue: unknown): Promise<string[][]> {
  if (/\bnodes\b/.test(query)) throw new Error("Bulk queries select by 'edges' and 'node'.");
  const { data, errors } = await graphql({ schema, source: query, rootValue });
  if (errors !== undefined) throw new Error(errors.join(' '));
  const { products } = data as { products: { edges: { node: Record<string, unknown> }[] } };
  return products.edges.map(({ node }) => {
    const lists = Object.entries(node).filter(([, value]) => isConnection(value));
    const own = Object.fromEntries(Object.entries(node).filter(([, value]) => !isConnection(value)));
    if (own.id === undefined) throw new Error("A 'node' with connections must select its 'id'.");
    const children = lists.flatMap(([, value]) =>
      (value as { edges: { node: object }[] }).edges.map(({ node: child }) =>
        JSON.stringify({ ...child, __parentId: own.id }),
      ),
    );
    return [JSON.stringify(own), ...children];
  });
}

function isConnection(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'edges' in value;
}

/** The file of an operation, as served by the storage. */
export function sendOutcome(bulk: Bulk, number: string, response: ServerResponse): void {
  const { endOf, outcomes } = bulk as State;
  const end = endOf.get(number);
  const file = outcomes.get(number) ?? '';
  if (end === 'gone') {
    response.writeHead(403).end('<Error><Code>ExpiredToken</Code></Error>');
    return;
  }
  response.writeHead(200, { 'Content-Type': 'application/jsonl', 'Content-Length': Buffer.byteLength(file) });
  if (end !== 'broken_off') {
    response.end(file);
    return;
  }
  endOf.delete(number);
  response.write(file.slice(0, file.length / 2), () => response.destroy());
}
