import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PARTS as CONTRACT_PARTS } from '@touchstone/contract';
import { describe, expect, it } from 'vitest';
import { PARTS as CLI_PARTS } from '../packages/cli/src/parts.ts';
import { PARTS as SERVER_PARTS } from '../packages/server/src/parts.ts';
import { BUNDLED } from '../packages/web/sources.ts';
import { importCircles } from './kit/circles.ts';
import { type Import, packageOf, ROOT, sourceImports } from './kit/imports.ts';

/** The packages that each package may import (ARCHITECTURE.md). */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  certificate: [],
  contract: ['certificate'],
  mcp: ['certificate', 'contract'],
  fetch: ['certificate'],
  page: ['certificate'],
  facts: ['certificate', 'page'],
  image: ['certificate'],
  catalogue: [],
  lookalikes: [],
  edge: ['certificate'],
  'embedded-postgres': [],
  server: [
    'certificate',
    'contract',
    'mcp',
    'fetch',
    'page',
    'facts',
    'image',
    'catalogue',
    'lookalikes',
    'embedded-postgres',
  ],
  cli: [
    'certificate',
    'contract',
    'mcp',
    'fetch',
    'page',
    'facts',
    'image',
    'catalogue',
    'lookalikes',
    'server',
  ],
  web: ['certificate', 'contract', 'page', 'facts', 'image', 'catalogue'],
};

const imports = sourceImports();

/** Our package that an import refers to; `null` for a library or a file of the same package. */
function ourPackage({ file, specifier, target }: Import): string | null {
  const name = /^@touchstone\/([a-z-]+)/.exec(specifier)?.[1] ?? (target === null ? null : packageOf(target));
  return name === packageOf(file) ? null : name;
}

const crossings = imports.flatMap((entry) => {
  const to = ourPackage(entry);
  return to === null ? [] : [{ ...entry, from: packageOf(entry.file), to }];
});

describe('imports follow the table', () => {
  it('between packages', () => {
    expect(crossings.filter(({ from, to }) => !ALLOWED[from]?.includes(to))).toEqual([]);
    expect(crossings.length).toBeGreaterThan(10);
  });

  it('by package name, never by a path into another package', () => {
    expect(crossings.filter(({ target }) => target !== null)).toEqual([]);
  });

  it('from the reader of facts to the parsed page only, so that a page is judged without it', () => {
    const { facts = [] } = Object.groupBy(crossings, ({ from }) => from);
    expect(
      [...new Set(facts.map(({ specifier }) => specifier))].filter((name) => /\/page/.test(name)),
    ).toEqual(['@touchstone/page/document']);
  });

  it('from the pages to packages whose changes build them again', () => {
    const bundled = crossings.filter(({ from }) => from === 'web').map(({ to }) => to);
    expect(['web', ...new Set(bundled)].toSorted()).toEqual([...BUNDLED].toSorted());
  });

  it('from the command line to the server only when a command needs it', () => {
    const eager = crossings.filter(
      ({ from, to, dynamic, typeOnly }) => from === 'cli' && to === 'server' && !dynamic && !typeOnly,
    );
    expect(eager.filter(({ file }) => !/^packages\/cli\/src\/(demo|mcp)\//.test(file))).toEqual([]);
  });

  it('and ARCHITECTURE.md draws exactly these arrows', () => {
    const [, text = ''] = readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8').split('```');
    const drawn = [...text.matchAll(/^\s*([\w-]+) -+\.?-*> (.+)$/gm)].flatMap(([, from, to = '']) =>
      to.split(' & ').map((one) => `${from} > ${one}`),
    );
    const real = crossings.map(({ from, to }) => `${from} > ${to}`);
    expect([...new Set(drawn)].toSorted()).toEqual([...new Set(real)].toSorted());
  });
});

describe('code for any runtime uses nothing of Node', () => {
  const portable = imports.filter(
    ({ file }) =>
      /^packages\/(certificate|contract|mcp|page|facts|catalogue|edge)\//.test(file) ||
      /^packages\/image\/src\/(?!node\/)/.test(file),
  );

  it('in its imports', () => {
    const nodeOnly = /^node:|^(undici|fs|path|crypto|buffer|pg|find-my-way|sharp|heic-decode)$/;
    expect(portable.filter(({ specifier }) => nodeOnly.test(specifier))).toEqual([]);
  });

  it('not through the folders that may', () => {
    expect(portable.filter(({ target }) => target?.includes('/src/node/'))).toEqual([]);
  });

  it('and nothing of a browser, outside of its folder', () => {
    const browser = '/image/src/browser/';
    const outside = portable.filter(({ file }) => !file.includes(browser));
    expect(outside.filter(({ target }) => target?.includes(browser))).toEqual([]);
    expect(portable.length - outside.length).toBeGreaterThan(10);
    const naming = [...new Set(outside.map(({ file }) => file))].filter((file) =>
      /\b(new Worker\(|OffscreenCanvas|createImageBitmap)/.test(withoutComments(file)),
    );
    expect(naming).toEqual([]);
  });

  it('in its globals', () => {
    const files = [...new Set(portable.map(({ file }) => file))];
    const offending = files.filter((file) =>
      /\b(Buffer\.|process\.|__dirname|setImmediate\()/.test(withoutComments(file)),
    );
    expect(offending).toEqual([]);
  });

  it('and reads no clock', () => {
    const files = [...new Set(portable.map(({ file }) => file))];
    const offending = files.filter((file) =>
      /\bDate\.now\(\)|new Date\(\)(?! ?,?$)/m.test(withoutComments(file)),
    );
    expect(offending).toEqual([]);
  });
});

/** The text of a file without block comments and lines that are comments. */
function withoutComments(file: string): string {
  return readFileSync(join(ROOT, file), 'utf8')
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/^\s*\/\/.*$/gm, '');
}

/**
 * What each folder of the core may import besides `platform`, which imports none of them. In the order of ARCHITECTURE.md: each may only
 * import earlier ones.
 */
const CORE: Readonly<Record<string, readonly string[]>> = {
  keys: [],
  registry: [],
  images: ['registry'],
  certificates: ['keys', 'registry'],
  verification: ['certificates', 'keys'],
  'page-checks': ['registry', 'verification'],
  tools: ['certificates', 'keys', 'verification', 'page-checks'],
  docs: [],
};
/** The folders of the core that each part may import besides `platform` and what `core` itself offers; no part imports another. */
const PARTS: Readonly<Record<string, readonly string[]>> = {
  console: ['keys', 'registry'],
  copies: ['registry', 'page-checks'],
  items: ['certificates', 'verification'],
  nft: ['images', 'registry'],
  pages: ['docs'],
  publish: ['certificates', 'images', 'registry'],
  receipts: ['certificates', 'images', 'keys', 'page-checks', 'verification'],
  shopify: ['certificates', 'registry'],
  sites: ['registry', 'page-checks'],
  sources: ['registry', 'page-checks'],
  'status-lists': ['certificates', 'images', 'keys', 'registry'],
  'transparency-log': ['certificates', 'images', 'keys', 'registry'],
  'picture-matches': ['registry', 'page-checks'],
  sweeps: ['registry', 'page-checks'],
  ucp: ['docs', 'keys', 'page-checks'],
  webhooks: ['registry'],
};

describe('inside the server', () => {
  const root = 'packages/server/src/';
  const server = imports.filter(({ file }) => file.startsWith(root));
  /** `null` for files at the top. */
  const folderOf = (path: string) =>
    /^((?:core|parts)\/[^/]+(?=\/)|[^/]+)\//.exec(path.slice(root.length))?.[1] ?? null;
  const ofCore = Object.keys(CORE).map((name) => `core/${name}`);
  const inCore = (names: readonly string[]) => names.map((name) => `core/${name}`);
  const allowed = new Map<string, readonly string[]>([
    ...Object.entries(CORE).map(([name, of]) => [`core/${name}`, inCore(of)] as const),
    ...Object.entries(PARTS).map(([name, of]) => [`parts/${name}`, ['core', ...inCore(of)]] as const),
    ['core', ofCore] as const,
    ['start', ['core', ...ofCore]] as const,
    ['platform', []] as const,
  ]);

  it('each folder imports only the platform and the folders of the core in the table, including types', () => {
    const wrong = server.filter(({ file, target }) => {
      const from = folderOf(file);
      if (from === null || target === null) return false;
      const to = folderOf(target);
      if (from === to || (to === 'platform' && from !== 'platform')) return false;
      if (from === 'start' && [`${root}compose.ts`, `${root}parts.ts`].includes(target)) return false;
      return to === null || !allowed.get(from)?.includes(to);
    });
    expect(wrong.map(({ file, target }) => `${file} > ${target}`)).toEqual([]);
  });

  it('the core refers to no table of a part', () => {
    const tables = Object.keys(PARTS).flatMap((part) => {
      const path = join(ROOT, root, 'parts', part, 'schema.sql');
      return existsSync(path) ? [...readFileSync(path, 'utf8').matchAll(/^create table (\w+)/gm)] : [];
    });
    const names = tables.map(([, name]) => name).join('|');
    const referring = new RegExp(
      `(?:from|join|into|update|references) (?:${names})\\b|'(?:${names})(?: as \\w+)?'`,
    );
    const sources = readdirSync(join(ROOT, root, 'core'), { recursive: true, encoding: 'utf8' }).filter(
      (path) => /\.(?:ts|sql)$/.test(path) && !/test(?:ing)?\b/.test(path),
    );
    expect([tables.length, sources.length].every((count) => count > 10)).toBe(true);
    const wrong = sources.flatMap((path) => {
      const found = referring.exec(withoutComments(join(root, 'core', path)).replace(/--.*$/gm, ''));
      return found === null ? [] : [`${path}: ${found[0]}`];
    });
    expect(wrong).toEqual([]);
  });

  it('and every folder is one of the core, a part, the platform or the start', () => {
    const folders = new Set(server.map(({ file }) => folderOf(file)).filter((name) => name !== null));
    expect([...folders].toSorted()).toEqual([...allowed.keys()].toSorted());
  });

  it('only the HTTP platform reads requests and routes them', () => {
    const knowing = server.filter(({ specifier }) => /^(node:http|find-my-way)$/.test(specifier));
    expect(knowing.filter(({ file }) => !file.includes('src/platform/'))).toEqual([]);
  });

  it('only main.ts, the entry of the command line, what makes one for processes and the build of the pages use the environment', () => {
    const files = [...new Set(imports.map(({ file }) => file))];
    const readers = files.filter((file) => /\bprocess\.env\b/.test(readFileSync(join(ROOT, file), 'utf8')));
    expect(
      readers.filter(
        (file) =>
          !/packages\/(server\/src\/(main|platform\/processes\/environment)|cli\/src\/index|embedded-postgres\/src\/environment|web\/build)\.ts$/.test(
            file,
          ),
      ),
    ).toEqual([]);
  });
});

it('a part has the same name in each package: a folder of the server and of the contract, and of others that know it', () => {
  const names = Object.keys(PARTS).toSorted();
  const named = (list: readonly { readonly name: string }[]) => list.map(({ name }) => name).toSorted();
  expect(named(SERVER_PARTS)).toEqual(names);
  expect(named(CONTRACT_PARTS)).toEqual(names);
  expect(readdirSync(join(ROOT, 'packages/contract/src/parts')).toSorted()).toEqual(names);
  for (const name of [...named(CLI_PARTS), ...readdirSync(join(ROOT, 'packages/cli/src/parts'))])
    expect(names).toContain(name);
});

it('no package has an import cycle between files or folders, including types', () => {
  expect(importCircles(imports)).toEqual([]);
});

it('no module has a default export', () => {
  const files = [...new Set(imports.map(({ file }) => file))];
  expect(files.filter((file) => /^export default/m.test(readFileSync(join(ROOT, file), 'utf8')))).toEqual([]);
});
