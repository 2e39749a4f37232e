import { globSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../kit/imports.ts';
import { toolPath } from '../kit/installed.ts';
import {
  atShop,
  environmentOf,
  inClone,
  type OpenPlace,
  withCertifiedPage,
  withHome,
  withStore,
} from './support/places.ts';
import { readGuide } from './support/read-guide.ts';
import { runGuide } from './support/run-guide.ts';
import { openTerminal } from './support/terminal.ts';

/** The Node of the reader's machine; `null` if it is not installed here. */
const NODES: Readonly<Record<string, string | null>> = {
  'Node 20': toolPath('runtimes', 'node-20/bin/node'),
  'Node 22': toolPath('runtimes', 'node-22/bin/node'),
  'Node 24': join(ROOT, 'node_modules/node/bin/node'),
};

/** Every page with commands that are run, and where its reader sits. */
const GUIDES: Readonly<Record<string, OpenPlace>> = {
  'README.md': inClone,
  'docs/guides/operator.md': inClone,
  'docs/merchants.md': atShop,
  'docs/guides/embedding.md': withStore,
  'docs/guides/transparency-log.md': withCertifiedPage,
  'packages/certificate/README.md': atShop,
  'packages/edge/README.md': atShop,
  'packages/cli/README.md': withCertifiedPage,
};

/** The two that install and run what differs between versions of Node; the others run the same programs. */
const ON_EVERY_NODE = ['docs/guides/operator.md', 'docs/merchants.md'];

/** What cannot be run here, by page; the page's source gives the reason. */
const NOT_RUN: Readonly<Record<string, readonly string[]>> = {
  'README.md': ['npm ci && npm test'],
  'CONTRIBUTING.md': [
    'npm ci && npm test',
    'sha256sum --check',
    'openssl pkeyutl',
    'sed',
    'printf',
    'sed',
    'openssl pkeyutl',
  ],
  'docs/guides/commerce-protocols.md': ['curl'],
  'docs/guides/receipts.md': [
    'touchstone check https://shop.example',
    'touchstone receipt verify',
    'touchstone check https://copy.example',
    'touchstone evidence list',
    'touchstone evidence download',
  ],
  'docs/guides/signing-key-leaked.md': ['export TOUCHSTONE_SERVICE', 'touchstone keys signing revoke'],
  'docs/guides/transparency-log.md': ['curl -X PUT', 'touchstone keys signing revoke'],
  'docs/guides/operator.md': [
    'apt-get install',
    'editor',
    'systemctl restart',
    'npm install --global',
    'pgbackrest --stanza=touchstone stanza-create',
    'pgbackrest --stanza=touchstone backup',
    'pg_dump',
    'systemctl stop',
    'pgbackrest --stanza=touchstone restore',
    'systemctl start',
    'createdb',
  ],
  'docs/merchants.md': [
    'touchstone stores create --url https://<shop>',
    'touchstone domains verify <store-id> <shop>',
    'TOUCHSTONE_SHOPIFY_SECRET=',
    'touchstone check https://<shop>',
    'touchstone lookalikes --hosts',
    'curl -X PATCH',
    'touchstone check https://copy.example',
    'curl -X PUT',
  ],
  'docs/guides/embedding.md': [
    'cd /srv/shop',
    '(umask 077; cat > touchstone.env)',
    'export PATH=',
    'export TOUCHSTONE_SERVICE=',
    'END',
    '0 */6',
  ],
  'packages/facts/README.md': ['npm install'],
  'packages/image/README.md': ['npm install'],
  'packages/page/README.md': ['npm install'],
};

const isFull = process.env.TOUCHSTONE_EVERY_GUIDE === '1';

describe.each(Object.entries(NODES))('on a machine with %s', (name, node) => {
  const all = Object.entries(GUIDES);
  const guides = isFull || name === 'Node 20' ? all : all.filter(([file]) => ON_EVERY_NODE.includes(file));
  const missing = node === null ? ' (skipped: npm run tools)' : '';
  it.skipIf(node === null).each(guides)(
    `%s: every command does what the page says${missing}`,
    {
      // installs the project up to twice
      timeout: 1_800_000,
    },
    async (file, open) => {
      await withHome(async (home) => {
        const place = await open(home);
        const env = { ...environmentOf(home, node ?? ''), ...place.env };
        const terminal = await openTerminal(place.folder, join(home, 'typed'), env);
        try {
          await runGuide(readGuide(file), terminal, place.values);
        } finally {
          await terminal.close();
          await place.close();
        }
      });
    },
  );
});

describe('of all pages', () => {
  const pages = globSync('{*.md,docs/**/*.md,examples/**/*.md,integrations/**/*.md,packages/*/*.md}', {
    cwd: ROOT,
    exclude: (path) => /node_modules|docs\/api$/.test(path),
  });
  const guides = pages.map(readGuide).filter(({ steps }) => steps.length > 0);

  it('those with commands are run here, apart from the commands named here', () => {
    const notRun = guides.flatMap(({ file, steps }) => {
      const commands = steps.filter(({ skip }) => skip !== undefined).flatMap((step) => step.commands);
      return commands.length === 0 ? [] : [[file, commands] as const];
    });
    const beginnings = notRun.map(([file, commands]) => [
      file,
      commands.map((command, index) => {
        const beginning = NOT_RUN[file]?.[index] ?? '';
        return beginning !== '' && command.startsWith(beginning) ? beginning : command;
      }),
    ]);
    expect(Object.fromEntries(beginnings)).toEqual(NOT_RUN);
    const run = guides.filter(({ steps }) => steps.some(({ skip }) => skip === undefined));
    expect(run.map(({ file }) => file).toSorted()).toEqual(Object.keys(GUIDES).toSorted());
  });

  it('each gives a reason for what cannot be run', () => {
    const reasons = guides.flatMap(({ steps }) => steps.flatMap(({ skip }) => skip ?? []));
    expect(reasons.filter((reason) => reason.length < 10)).toEqual([]);
  });
});
