import { spawn, spawnSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { useFolder } from '../../../../test/kit/folder.ts';
import { runCli } from '../testing.ts';

const folder = useFolder('completion');
beforeAll(async () => {
  for (const shell of ['bash', 'zsh', 'fish']) {
    await writeFile(join(folder, `script.${shell}`), (await runCli(['completion', shell])).out);
  }
  await mkdir(join(folder, 'files'));
  await writeFile(join(folder, 'files', 'my keys.json'), '{}');
});

const missing = (shell: string): boolean => spawnSync(shell, ['--version']).error !== undefined;

/** Output of a separate shell process, run in the folder with one file. */
function printed(shell: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const env = { PATH: process.env.PATH ?? '', HOME: folder, TERM: 'xterm' };
    const child = spawn(shell, args, { cwd: join(folder, 'files'), env, stdio: ['ignore', 'pipe', 'pipe'] });
    let text = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece) => (text += String(piece)));
    child.on('error', reject);
    child.on('close', () => resolve(text));
  });
}

/** Typed words, and the completions that every shell then offers. */
const TYPED: readonly (readonly [typed: readonly string[], offered: readonly string[]])[] = [
  [['ver'], ['verify']],
  [
    ['keys', ''],
    ['create', 'help', 'list', 'revoke', 'signing'],
  ],
  [
    ['completion', ''],
    ['bash', 'fish', 'zsh'],
  ],
  [['verify', '--jw'], ['--jwks']],
  [['verify', '--jwks', 'my'], ['my keys.json']],
  [['batch', 'my'], ['my keys.json']],
  [['keys', 'create', '--merch'], ['--merchant-id']],
  [['keys', 'signing', 'rev'], ['revoke']],
  [['keys', 'signing', 'revoke', '--n'], ['--now']],
  [
    ['import', '--shape', 'woo'],
    ['woocommerce-csv', 'woocommerce-rest-v3', 'woocommerce-store-api'],
  ],
  [['--ser'], ['--service']],
  [['check', '--service', ''], []],
];

describe('touchstone completion', () => {
  it.skipIf(missing('bash')).each(TYPED)('in bash offers for %j: %j', async (typed, offered) => {
    const words = ['touchstone', ...typed].map((word) => `'${word}'`).join(' ');
    const ask = `COMP_WORDS=(${words}); COMP_CWORD=${typed.length}; _touchstone; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const out = await printed('bash', ['--norc', '-c', `source '${folder}/script.bash'; ${ask}`]);
    expect(out.split('\n').filter(Boolean).toSorted()).toEqual(offered);
  });

  it.skipIf(missing('fish')).each(TYPED)('in fish offers for %j: %j', async (typed, offered) => {
    const line = ['touchstone', ...typed].join(' ');
    const out = await printed('fish', ['-N', '-c', `source '${folder}/script.fish'; complete -C '${line}'`]);
    const names = out
      .split('\n')
      .filter(Boolean)
      .map((one) => (one.split('\t')[0] ?? '').replaceAll('\\', '').replaceAll("'", ''));
    expect(names.toSorted()).toEqual(offered);
  });

  it.skipIf(missing('zsh'))('in zsh completes what is typed at a terminal', async () => {
    const typed = 'touchstone ver\t--jwk\tmy\t--issuer i keys.json; touchstone keys rev\t--merch\t';
    const script = `
      zmodload zsh/zpty
      zpty z zsh -f -i
      zpty -w z "PROMPT=; unsetopt zle_bracketed_paste; autoload -U compinit; compinit -D -u; source '${folder}/script.zsh'; echo rea''dy"
      zpty -r z out $'*ready\\r*'
      zpty -w -n z $'${typed.replaceAll('\t', '\\t')}'
      zpty -r z out '*--merchant-id*'
      print -r -- "$out"`;
    // the shell redraws only what changes, with control sequences in between
    const out = stripVTControlCharacters(await printed('zsh', ['-f', '-c', script])).replace(/\p{Cc}/gu, '');
    expect(out).toMatch(/touchstone verify +--jwks +my\\+ keys\.json +--issuer/);
    expect(out).toMatch(/oke +--merchant-id/);
  });

  it('knows every existing command and option', async () => {
    const help = (await runCli(['--help'])).out;
    const commands = [...help.matchAll(/^ {2}([a-z]+)/gm)].map(([, name]) => name ?? '');
    expect(commands.length).toBeGreaterThan(8);
    for (const shell of ['bash', 'zsh', 'fish']) {
      const { out, code } = await runCli(['completion', shell]);
      expect(code).toBe(0);
      expect(commands.filter((name) => !new RegExp(`\\b${name}\\b`).test(out))).toEqual([]);
    }
    expect((await runCli(['completion', 'cmd'])).code).toBe(64);
    expect((await runCli(['completion', 'bash', '--json'])).json()).toMatchObject({ shell: 'bash' });
  });
});
