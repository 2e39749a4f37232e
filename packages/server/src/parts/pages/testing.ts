import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

/** Writes a minimal build of the pages in the format of `packages/web/build.ts`. */
export function writeTestBuild(folder: string): void {
  const names = ['check', 'certificate', 'asset', 'verify', 'console', 'downloads', 'log'];
  const languages = ['en', 'es'];
  const pages = Object.fromEntries(
    names.map((page) => [
      page,
      Object.fromEntries(
        languages.map((language) => [
          language,
          { script: `/assets/${page}.${language}-1.js`, preload: ['/assets/main-1.js'] },
        ]),
      ),
    ]),
  );
  const head = (title: string) => ({ title, description: `${title} described` });
  const texts = (language: string) => ({
    head: {
      site: 'Touchstone',
      withoutScript: language,
      asData: 'data',
      ...Object.fromEntries(names.map((page) => [page, head(`${page} ${language}`)])),
      certificate: { title: 'Certificate of {name}', description: 'For {domain}' },
      pageCheck: { title: '{verdict}', description: '{verdict} {url}' },
      problem: { title: 'Nothing', description: '{detail}' },
      unavailable: { title: 'Not available', description: '{detail}' },
      malformed: { title: 'Incomplete', description: `incomplete ${language}` },
    },
    faults: { product_unknown: `unknown ${language}`, signer_unavailable: `away ${language}` },
    conclusions: {
      checks_failed: { title: 'Does not hold.' },
      another_host: { title: 'For another site: {host}' },
    },
    control: { dated: 'proven on {date}', undated: 'proven', host: 'its site' },
  });
  const description = {
    stamp: 'abc',
    style: '/assets/style-1.css',
    pages,
    texts: Object.fromEntries(languages.map((language) => [language, texts(language)])),
  };
  mkdirSync(join(folder, 'assets'), { recursive: true });
  writeFileSync(join(folder, 'pages.json'), JSON.stringify(description));
  for (const language of languages)
    writeFileSync(join(folder, `badge.${language}.svg`), `picture in ${language}`);
  writeFileSync(join(folder, 'assets/main-1.js'), 'main');
  writeFileSync(join(folder, 'assets/main-1.js.gz'), gzipSync('main'));
  writeFileSync(join(folder, 'assets/picture-1.png'), 'picture');
  writeFileSync(join(folder, 'assets/odd name'), 'odd');
}
