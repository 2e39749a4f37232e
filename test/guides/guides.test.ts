import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rootCertificates } from 'node:tls';
import { describe, it } from 'vitest';
import { ROOT } from '../support/imports.ts';
import { toolPath } from '../support/installed.ts';
import { readGuide } from './support/read-guide.ts';
import { runGuide } from './support/run-guide.ts';
import { openTerminal } from './support/terminal.ts';

/** The Node that the reader's machine has; null: not installed here (`npm run tools`). */
const NODES: Readonly<Record<string, string | null>> = {
  'Node 24': join(ROOT, 'node_modules/node/bin/node'),
  'Node 20': toolPath('runtimes', 'node-20/bin/node'),
  'Node 22': toolPath('runtimes', 'node-22/bin/node'),
};

/** Guides whose reader has a clone. */
const IN_A_CLONE = ['README.md', 'docs/guides/operator.md'];

describe.each(Object.entries(NODES))('on a machine with %s', (_, node) => {
  it.skipIf(node === null).each(IN_A_CLONE)(
    '%s: every command does what the guide says, in a fresh clone',
    {
      timeout: 1_800_000,
    },
    async (file) => {
      const folder = mkdtempSync(join(tmpdir(), 'touchstone-guide-'));
      // the database of the service may belong to another user
      chmodSync(folder, 0o755);
      const clone = join(folder, 'touchstone');
      execFileSync('git', ['clone', '--quiet', ROOT, clone]);
      const terminal = await openTerminal(clone, join(folder, 'typed'), machine(folder, node ?? ''));
      try {
        await runGuide(readGuide(file), terminal, { FOLDER: folder, AUTHORITIES: authorities(folder) });
      } finally {
        await terminal.close();
        rmSync(folder, { recursive: true, force: true });
      }
    },
  );
});

/** A file as those of the C2PA: authorities in PEM. */
function authorities(folder: string): string {
  const file = join(folder, 'authorities.pem');
  writeFileSync(file, rootCertificates.slice(0, 3).join('\n'));
  return file;
}

/** The environment of a reader: this Node, npm, and no settings of ours. */
function machine(folder: string, node: string): Record<string, string> {
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  symlinkSync(node, join(bin, 'node'));
  const kept = [
    'HOME',
    'LANG',
    'TMPDIR',
    'HTTP_PROXY',
    'HTTPS_PROXY',
    'NO_PROXY',
    'http_proxy',
    'https_proxy',
    'no_proxy',
    'SSL_CERT_FILE',
    'NODE_EXTRA_CA_CERTS',
  ];
  const system = (process.env.PATH ?? '').split(':').filter((path) => !path.includes('node_modules'));
  return {
    ...Object.fromEntries(
      kept.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
    ),
    PATH: [bin, join(folder, 'global/bin'), ...system].join(':'),
    npm_config_prefix: join(folder, 'global'),
    npm_config_prefer_offline: 'true',
    npm_config_update_notifier: 'false',
  };
}
