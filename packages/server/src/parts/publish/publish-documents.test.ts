import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type TestRegistry, testRegistry } from '../../core/registry/testing.ts';
import { renderDocument } from '../../platform/http/rendered-document.ts';
import type { Destination } from './destination.ts';
import { openFolder } from './folder-destination.ts';
import { publishDocuments } from './publish-documents.ts';

let registry: TestRegistry;
let folder: string;
let destination: Destination;
beforeEach(async () => {
  registry = await testRegistry();
  folder = await mkdtemp(join(tmpdir(), 'touchstone-copies-'));
  destination = openFolder(folder);
});
afterEach(async () => {
  await registry.close();
  await rm(folder, { recursive: true, force: true });
});

/** A process that knows of no other. */
function processWith(...names: readonly string[]) {
  const documents = names.map((name) => ({ path: `/status/${name}`, ...renderDocument({ name }, {}) }));
  const changes: string[] = [];
  const run = (to = destination) =>
    publishDocuments(
      { db: registry.db, readDocuments: async () => documents, onCopy: (what) => changes.push(what) },
      to,
    );
  return { run, changes };
}
const copies = async () => (await readdir(join(folder, 'status'))).toSorted();

it('removes the copy of a document that has ended, whichever process wrote it, once', async () => {
  await processWith('1', '2').run();
  expect(await copies()).toEqual(['1', '2']);
  const next = processWith('2');
  await next.run();
  expect(await copies()).toEqual(['2']);
  expect(next.changes).toEqual(['written', 'removed']);
  await next.run();
  expect(next.changes).toEqual(['written', 'removed', 'written']);
});

it('removes also what a process had begun to write when it ended, or wrote after another had removed it', async () => {
  const lost = async () => {
    throw new Error('the process ended');
  };
  // the copy is written, and nobody was told
  const put: Destination['put'] = async (path, copy) => {
    await destination.put(path, copy);
    await lost();
  };
  await expect(processWith('1').run({ ...destination, put })).rejects.toThrow();
  // stopped just before it writes, while another process removes the document
  const late: Destination['put'] = async (path, copy) => {
    if (path === 'status/1') await processWith('2').run();
    await destination.put(path, copy);
  };
  await processWith('1', '2').run({ ...destination, put: late });
  expect(await copies()).toEqual(['1', '2']);
  await processWith('2').run();
  expect(await copies()).toEqual(['2']);
});

it('keeps the record of a copy that could not be removed, and tries again', async () => {
  await processWith('1').run();
  const remove = async () => {
    throw new Error('the place is not reachable');
  };
  await expect(processWith().run({ ...destination, remove })).rejects.toThrow('not reachable');
  await processWith().run();
  expect(await copies()).toEqual([]);
});
