import { OPERATIONS, type Operation, pathOf } from '@touchstone/contract';
import { describe, expect, it } from 'vitest';
import { PARTS, readConfig } from '../packages/server/src/parts.ts';
import { type TestService, testService } from '../packages/server/src/testing.ts';

const NAMES = PARTS.map(({ name }) => name);
const ID = '01234567-89ab-4def-8123-456789abcdef';

/** The operations that a service without these parts cannot answer, each with the part that would. */
function missing(without: readonly string[]): Map<Operation, string> {
  const absent = PARTS.filter(({ name }) => without.includes(name));
  const pages = absent.some(({ servesPages }) => servesPages === true)
    ? PARTS.flatMap((part) => part.pages ?? [])
    : [];
  return new Map([
    ...pages.map(({ operation }) => [operation, 'pages'] as const),
    ...absent.flatMap(({ name, operations }) => operations.map((operation) => [operation, name] as const)),
  ]);
}

/** What the service says about an operation's address. */
async function ask({ url }: TestService, operation: Operation): Promise<unknown> {
  const { method, path, params } = operation;
  const names = Object.keys((params as { shape?: object } | undefined)?.shape ?? {});
  const address = pathOf(
    { path: path.replace('*', 'x') },
    Object.fromEntries(names.map((name) => [name, ID])),
  );
  const response = await fetch(`${url}${address}`, { method, redirect: 'manual' });
  const text = await response.text();
  return text.startsWith('{"') ? JSON.parse(text) : undefined;
}

describe.each([...NAMES.map((name) => [name]), NAMES])('a service without %s', (...without) => {
  it('answers every other operation, says what it is without, and describes only what it answers', async () => {
    const absent = missing(without);
    const settings = PARTS.filter(({ name }) => without.includes(name)).flatMap((part) =>
      Object.keys(part.settings ?? {}).map((name) => `TOUCHSTONE_${name}`),
    );
    const service = await testService({
      settings: {
        ...Object.fromEntries(settings.map((name) => [name, 'of no part'])),
        TOUCHSTONE_WITHOUT: without.join(','),
      },
    });
    try {
      for (const operation of OPERATIONS) {
        const part = absent.get(operation);
        const answer = await ask(service, operation);
        const expected = {
          status: 404,
          code: 'part_left_out',
          detail: `This service runs without "${part}", which would answer this call.`,
        };
        if (part === undefined)
          expect([operation.id, answer]).not.toMatchObject([operation.id, { code: 'part_left_out' }]);
        else expect([operation.id, answer]).toMatchObject([operation.id, expected]);
      }
      const described = (await (await fetch(`${service.url}/api/v1/openapi.json`)).json()) as {
        paths: Record<string, Record<string, { operationId: string }>>;
      };
      const listed = OPERATIONS.filter((operation) => operation.unlisted !== true && !absent.has(operation));
      expect(
        Object.values(described.paths)
          .flatMap((path) => Object.values(path).map(({ operationId }) => operationId))
          .toSorted(),
      ).toEqual(listed.map(({ id }) => id).toSorted());
      const warned = service.log.map((line) => JSON.parse(line)).find(({ msg }) => /mean nothing/.test(msg));
      expect(warned?.settings ?? []).toEqual(settings.toSorted());
    } finally {
      await service.dispose();
    }
  });
});

it('a service refuses to start without a part that does not exist, and names those that do', () => {
  const start = () => readConfig({ TOUCHSTONE_WITHOUT: 'shopify,spotify' });
  expect(start).toThrow(
    'TOUCHSTONE_WITHOUT names "spotify", which is no part; the parts are sources, shopify, nft, sweeps, webhooks, console, pages',
  );
});
