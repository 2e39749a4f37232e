import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './imports.ts';
import type { Vector, VectorFile, VectorKeys } from './vector-format.ts';

export * from './vector-format.ts';

export interface LoadedVectors {
  readonly file: string;
  readonly jwks: Readonly<Record<string, unknown>>;
  readonly vectors: readonly Vector[];
}

/** All vectors, with long texts expanded. */
export function loadVectors(): LoadedVectors[] {
  return globSync('test/vectors/*.json', { cwd: ROOT })
    .toSorted()
    .map((file) => {
      const { jwks, vectors } = JSON.parse(readFileSync(join(ROOT, file), 'utf8')) as VectorFile;
      return { file, jwks, vectors: vectors.map((vector) => writtenOut(vector) as Vector) };
    });
}

/** The key sets of a vector, by the issuers that they belong to. */
export function keysOf(
  sets: LoadedVectors['jwks'],
  {
    jwks,
    jwksByIssuer = {},
    keysReadAt,
    context,
  }: Pick<Vector, 'jwks' | 'jwksByIssuer' | 'keysReadAt'> & { context: Pick<Vector['context'], 'issuers'> },
): VectorKeys {
  const own = Object.entries(jwksByIssuer);
  const issuers = context.issuers.filter((issuer) => !Object.hasOwn(jwksByIssuer, issuer));
  const read = keysReadAt === undefined ? {} : { readAt: keysReadAt };
  return [
    { issuers, jwks: sets[jwks], ...read },
    ...own.map(([issuer, name]) => ({ issuers: [issuer], jwks: sets[name], ...read })),
  ];
}

type TextPart = string | { readonly repeat: string; readonly times: number };

/** Replaces every `{"$text": [part, …]}` by its text. */
export function writtenOut(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(writtenOut);
  if ('$text' in value) {
    const parts = value.$text as readonly TextPart[];
    return parts.map((part) => (typeof part === 'string' ? part : part.repeat.repeat(part.times))).join('');
  }
  const entries = Object.entries(value).map(([name, member]) => [name, writtenOut(member)] as const);
  return Object.fromEntries(entries);
}
