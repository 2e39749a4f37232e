import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OPERATIONS, type Operation, pathOf } from '@touchstone/contract';
import { afterAll, describe, expect, it } from 'vitest';
import { runCli } from '../../packages/cli/src/testing.ts';
import { writeTestBuild } from '../../packages/server/src/parts/pages/testing.ts';
import { PARTS, readConfig } from '../../packages/server/src/parts.ts';
import { SETTINGS } from '../../packages/server/src/platform/settings/settings.ts';
import { openScene, type Scene } from '../kit/service.ts';
import { productPage } from '../kit/shop.ts';

const NAMES = PARTS.map(({ name }) => name);
const ID = '01234567-89ab-4def-8123-456789abcdef';
const WALK_HOST = 'shop.example';

const folder = mkdtempSync(join(tmpdir(), 'touchstone-parts-'));
writeTestBuild(folder);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The operations that a service without these parts cannot answer, each with the part that would. */
function missing(without: readonly string[]): Map<Operation, string> {
  const absent = PARTS.filter(({ name }) => without.includes(name));
  const pages = without.includes('pages') ? PARTS.flatMap((part) => part.pages ?? []) : [];
  return new Map([
    ...pages.map(({ operation }) => [operation, 'pages'] as const),
    ...absent.flatMap(({ name, operations }) => operations.map((operation) => [operation, name] as const)),
  ]);
}

/** What the service says at the address of an operation; `undefined` unless it is a JSON object. */
async function ask({ service }: Scene, { method, path, params }: Operation): Promise<unknown> {
  const names = Object.keys((params as { shape?: object } | undefined)?.shape ?? {});
  const filledIn = pathOf(
    { path: path.replace('*', 'x') },
    Object.fromEntries(names.map((name) => [name, ID])),
  );
  const response = await fetch(`${service.url}${filledIn}`, { method, redirect: 'manual' });
  const text = await response.text();
  return text.startsWith('{"') ? JSON.parse(text) : undefined;
}

async function readText({ service }: Scene, path: string): Promise<string> {
  return (await fetch(`${service.url}${path}`, { headers: { accept: 'text/html, */*;q=0.5' } })).text();
}

/** From a product to the verdict on its page, as the specification has it. */
async function walkThroughCore(scene: Scene): Promise<void> {
  const store = await scene.store(WALK_HOST);
  const { id, url } = await store.product('kettle');
  const certificate = await scene.certificate(id);
  expect(await scene.verify(id, { document: certificate, productUrl: url })).toMatchObject({
    status: 'verified',
  });
  scene.shop.put(url, productPage(certificate));
  expect(await scene.checkPage(url)).toMatchObject({ verdict: 'verified' });
  const tools = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
  const headers = { accept: 'application/json, text/event-stream' };
  expect(await scene.call('POST', '/mcp', tools, headers)).toMatchObject({ status: 200 });
}

/** `touchstone status` tells of the parts that there are; commands of others say why they cannot work. */
async function commandsTell({ service, operate }: Scene, without: readonly string[]): Promise<void> {
  const { stores } = (await operate('GET', '/stores')) as { stores: { id: string }[] };
  const env = { TOUCHSTONE_KEY: service.operatorKey ?? '', TOUCHSTONE_SERVICE: service.url };
  const status = (await runCli(['status', stores[0]?.id ?? '', '--json'], { env })).json();
  const members = { sources: 'imports', shopify: 'shopify', sweeps: 'pages' };
  for (const [part, member] of Object.entries(members))
    expect([part, member in status]).toEqual([part, !without.includes(part)]);
  const { code, err } = await runCli(['webhooks', 'list'], { env });
  if (without.includes('webhooks'))
    expect([code, err]).toEqual([3, expect.stringContaining('This service runs without "webhooks"')]);
  else expect([code, err]).toEqual([0, '']);
}

describe.each([...NAMES.map((name) => [name]), NAMES])('a service without %s', (...given) => {
  const without = given.filter((name) => name !== undefined);

  it('does all that the core does, and says everywhere what it is without', async () => {
    const absent = missing(without);
    const settings = PARTS.filter(({ name }) => without.includes(name)).flatMap((part) =>
      Object.keys(part.settings ?? {}).map((name) => `TOUCHSTONE_${name}`),
    );
    const scene = await openScene(
      {
        ...Object.fromEntries(settings.map((name) => [name, 'of no part'])),
        TOUCHSTONE_WITHOUT: without.join(','),
      },
      { webFolders: [folder] },
    );
    try {
      for (const operation of OPERATIONS) {
        const part = absent.get(operation);
        const answer = [operation.id, await ask(scene, operation)];
        const detail = `This service runs without "${part}", which would answer this call.`;
        if (part === undefined) {
          // some answer so for what they do not have
          const codes = operation.errors.includes('route_unknown') ? [] : ['route_unknown'];
          for (const code of [...codes, 'part_left_out', 'method_not_allowed'])
            expect(answer).not.toMatchObject([operation.id, { code }]);
        } else expect(answer).toMatchObject([operation.id, { status: 404, code: 'part_left_out', detail }]);
      }
      const { paths } = JSON.parse(await readText(scene, '/api/v1/openapi.json')) as {
        paths: Record<string, Record<string, { operationId: string }>>;
      };
      const described = Object.values(paths).flatMap((path) =>
        Object.values(path).map(({ operationId }) => operationId),
      );
      const there = OPERATIONS.filter((operation) => operation.unlisted !== true && !absent.has(operation));
      expect(described.toSorted()).toEqual(there.map(({ id }) => id).toSorted());
      const warning = scene.service.log
        .map((line) => JSON.parse(line) as { msg: string; settings?: string[] })
        .find(({ msg }) => msg.includes('mean nothing'));
      expect(warning?.settings ?? []).toEqual(settings.toSorted());
      if (!without.includes('pages'))
        expect(await readText(scene, '/check')).toContain(`"without":${JSON.stringify(without)}`);
      const metrics = await readText(scene, '/metrics');
      expect(metrics.includes('touchstone_webhook_attempts_total')).toBe(!without.includes('webhooks'));
      await walkThroughCore(scene);
      await commandsTell(scene, without);
    } finally {
      await scene.close();
    }
  });
});

it('the setting names every part', () => {
  expect(SETTINGS.shape.WITHOUT.description).toContain(`: ${NAMES.join(', ')}.`);
});

it('a service refuses to start without a part that does not exist, and names those that do', () => {
  const start = () => readConfig({ TOUCHSTONE_WITHOUT: 'shopify,spotify' });
  expect(start).toThrow(
    `TOUCHSTONE_WITHOUT names "spotify", which is no part; the parts are ${NAMES.join(', ')}`,
  );
});
