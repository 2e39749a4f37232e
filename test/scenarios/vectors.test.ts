import { afterAll, describe, expect, it } from 'vitest';
import { keysOf, loadVectors, type Vector } from '../kit/vectors.ts';
import { cliTransport } from './transports/cli.ts';
import { coreTransport, offlineTransport } from './transports/core.ts';
import { httpTransport } from './transports/http.ts';
import { mcpHttpTransport, mcpStdioTransport } from './transports/mcp.ts';

const files = loadVectors();
const all = files.flatMap(({ file, jwks, vectors }) => vectors.map((vector) => ({ file, jwks, vector })));

const transports = [
  coreTransport(),
  offlineTransport(),
  await httpTransport(),
  await cliTransport(),
  await mcpHttpTransport(),
  await mcpStdioTransport(),
];

describe.each(transports)('through $name', (transport) => {
  afterAll(() => transport.close());

  const asked = files
    .map(({ file, jwks, vectors }) => ({
      file,
      jwks,
      vectors: vectors.filter((vector) => transport.cannot(vector) === null),
    }))
    .filter(({ vectors }) => vectors.length > 0);

  describe.each(asked)('$file', ({ jwks, vectors }) => {
    it.each(vectors)('$id: $title', async (vector) => {
      const keys = keysOf(jwks, vector);
      expect(await transport.run(vector, keys)).toEqual(transport.expected(vector, keys));
    });
  });
});

describe('the vectors', () => {
  it('have one id each and name a key set of their file', () => {
    const ids = all.map(({ vector }) => vector.id);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
    const named = (vector: Vector) => [vector.jwks, ...Object.values(vector.jwksByIssuer ?? {})];
    const unknown = all.filter(
      ({ jwks, vector }) => !named(vector).every((name) => Object.hasOwn(jwks, name)),
    );
    expect(unknown).toEqual([]);
  });

  it('contain no private key', () => {
    expect(JSON.stringify(files)).not.toMatch(/PRIVATE KEY|"(p|q|dp|dq|qi)":/);
  });

  it('are all run by the core, and by every other transport except for the reasons that it gives', () => {
    const left = transports.map((transport) => [
      transport.name,
      all.filter(({ vector }) => transport.cannot(vector) !== null).length,
    ]);
    expect(Object.fromEntries(left)).toEqual({
      core: 0,
      'core without registry': 2,
      http: 322,
      cli: 94,
      'mcp over http': 322,
      'mcp over stdio': 322,
    });
  });
});
