import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { anchorsOf } from './kit/anchors.ts';
import { ROOT } from './kit/imports.ts';

const documents = globSync('{*.md,docs/**/*.md}', { cwd: ROOT });

/** TypeDoc's pages link to anchors in their own HTML. */
function isWrittenByHand(file: string): boolean {
  return file.endsWith('.md') && !file.includes('docs/api/');
}

it('every link in the docs leads to a file, and to an existing heading if it names one', () => {
  const broken = documents.flatMap((file) =>
    [
      ...readFileSync(join(ROOT, file), 'utf8').matchAll(
        /\]\((?!https?:|mailto:)([^)#\s]*)(?:#([^)\s]+))?\)/g,
      ),
    ]
      .filter(([, link = '', anchor]) => {
        const target = link === '' ? join(ROOT, file) : resolve(ROOT, dirname(file), link);
        if (!existsSync(target)) return true;
        return anchor !== undefined && isWrittenByHand(target) && !anchorsOf(target).has(anchor);
      })
      .map(([link]) => `${file}: ${link}`),
  );
  expect(broken).toEqual([]);
  expect(documents.length).toBeGreaterThan(30);
});

it('there are at most 25 architecture decisions, each with its own number', () => {
  const numbers = documents.flatMap((file) => /docs\/adr\/(\d\d)-/.exec(file)?.[1] ?? []);
  expect(numbers.length).toBeLessThanOrEqual(25);
  expect(new Set(numbers).size).toBe(numbers.length);
});

it('every rule of the interpretation is where its entry says', () => {
  const page = readFileSync(join(ROOT, 'docs/interpretation.md'), 'utf8');
  const named = [...page.matchAll(/^Code: (.+)$/gm)].flatMap(([, modules = '']) =>
    [...modules.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name),
  );
  const lost = named.filter((name) => {
    const [packageName = '', ...inside] = name.split('/');
    const place = join(ROOT, 'packages', packageName, 'src', ...inside);
    return !existsSync(place) && !existsSync(`${place}.ts`);
  });
  expect(lost).toEqual([]);
  expect(named.length).toBeGreaterThan(50);
});

it('the walks of ARCHITECTURE.md lead through existing files', () => {
  const page = readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8');
  const walks = [...page.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].flatMap(([, language, text = '']) =>
    language === '' ? [text] : [],
  );
  const files = walks.flatMap((walk) => [...walk.matchAll(/^\S+/gm)].map(([file]) => file));
  const lost = files.filter((file) => {
    const [packageName = '', ...inside] = file.replace('<page>', 'check').split('/');
    return !existsSync(join(ROOT, 'packages', packageName, 'src', ...inside));
  });
  expect(lost).toEqual([]);
  expect(files.length).toBeGreaterThan(20);
});

it('no page or source names what a clone does not contain', () => {
  const files = [...documents, ...globSync('{packages,test,scripts,bench}/**/*.ts', { cwd: ROOT })];
  const naming = files.filter(
    (file) =>
      !file.includes('node_modules') &&
      /\bdesign\.md\b|\bspec\.md\b|\.\.\/shared\/(?!corpora)/.test(readFileSync(join(ROOT, file), 'utf8')),
  );
  expect(naming.filter((file) => file !== 'test/documents.test.ts')).toEqual([]);
});

it('every command that a guide names exists, with its options', () => {
  const reference = readFileSync(join(ROOT, 'docs/cli.md'), 'utf8');
  const sections = new Map(
    [...reference.matchAll(/^## touchstone (.+)\n([\s\S]*?)(?=^## )/gm)].map(([, name = '', text = '']) => [
      name,
      text,
    ]),
  );
  const wrong = documents.filter(isGuide).flatMap((file) => {
    const text = readFileSync(join(ROOT, file), 'utf8');
    const named = [
      ...text.matchAll(/(?:^ *|`|&& |; |[A-Z]=\S+ |npx )touchstone ((?:[a-z]+ ?)+)([^`\n;|&#]*)/gm),
    ];
    return named
      .filter(([, words = '', rest = '']) => {
        const [first = '', second = ''] = words.trim().split(' ');
        const section = sections.get(`${first} ${second}`) ?? sections.get(first);
        if (section === undefined) return ![...sections.keys()].some((name) => name.startsWith(`${first} `));
        const options = [...rest.matchAll(/ (--[a-z][\w-]*)/g)].map(([, option = '']) => option);
        return options.some((option) => !`${section} --service --json --help`.includes(option));
      })
      .map(([found]) => `${file}: ${found.trim()}`);
  });
  expect(wrong).toEqual([]);
  expect(sections.size).toBeGreaterThan(30);
});

function isGuide(file: string): boolean {
  return file.startsWith('docs/guides/') || ['README.md', 'docs/merchants.md'].includes(file);
}
