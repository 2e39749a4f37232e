import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../support/imports.ts';
import { toolPath } from '../support/installed.ts';
import { atShop, environmentOf, inClone, type OpenPlace, withHome, withStore } from './support/places.ts';
import { readGuide } from './support/read-guide.ts';
import { runGuide } from './support/run-guide.ts';
import { openTerminal } from './support/terminal.ts';

/** The Node of the reader's machine; `null` if it is not installed here. */
const NODES: Readonly<Record<string, string | null>> = {
  'Node 20': toolPath('runtimes', 'node-20/bin/node'),
  'Node 22': toolPath('runtimes', 'node-22/bin/node'),
  'Node 24': join(ROOT, 'node_modules/node/bin/node'),
};

/** Every guide with commands, and where its reader sits. */
const GUIDES: Readonly<Record<string, OpenPlace>> = {
  'README.md': inClone,
  'docs/guides/operator.md': inClone,
  'docs/merchants.md': atShop,
  'docs/guides/merchant.md': atShop,
  'docs/guides/embedding.md': withStore,
};

describe.each(Object.entries(NODES))('on a machine with %s', (_, node) => {
  const missing = node === null ? ' (skipped: npm run tools)' : '';
  it.skipIf(node === null).each(Object.entries(GUIDES))(`%s: every command does what it says${missing}`, {
    // installs the project up to three times
    timeout: 1_800_000,
  }, async (file, open) => {
    await withHome(async (home) => {
      const place = await open(home);
      const terminal = await openTerminal(place.folder, join(home, 'typed'), environmentOf(home, node ?? ''));
      try {
        await runGuide(readGuide(file), terminal, place.values);
      } finally {
        await terminal.close();
        await place.close();
      }
    });
  });
});

it('no other page has commands', () => {
  const pages = globSync('{*.md,docs/**/*.md,examples/**/*.md,integrations/**/*.md,packages/*/*.md}', {
    cwd: ROOT,
    exclude: ['**/node_modules/**'],
  });
  const withCommands = pages.filter((file) => readGuide(file).steps.length > 0);
  expect(withCommands.toSorted()).toEqual(Object.keys(GUIDES).toSorted());
  void readFileSync;
});
