import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { fromServer, NODE_OF_SERVICE } from './server.ts';

it('names the Node that the service needs, and loads nothing of it on an older one', async () => {
  const load = vi.fn(() => Promise.resolve('loaded'));
  for (const node of ['20.20.2', '22.9.0', '22.17.9']) {
    await expect(fromServer(load, node)).rejects.toMatchObject({
      code: 'node_too_old',
      message: `The service needs Node 22.18 or newer, and this is Node ${node}.`,
    });
  }
  expect(load).not.toHaveBeenCalled();
  for (const node of ['22.18.0', '24.1.0', '100.0.0']) expect(await fromServer(load, node)).toBe('loaded');
});

it('needs the Node that the package of the service declares', () => {
  const file = join(import.meta.dirname, '../../server/package.json');
  const { engines } = JSON.parse(readFileSync(file, 'utf8')) as { engines: { node: string } };
  expect(engines.node).toBe(`>=${NODE_OF_SERVICE}`);
});
