import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, transform } from 'esbuild';
import { cardTexts } from './src/card/card-texts.ts';
import { LANGUAGES } from './src/text/languages.ts';

const HERE = import.meta.dirname;
/** Browsers with `light-dark()`. */
const TARGET = ['chrome123', 'firefox120', 'safari17.5'];

/**
 * The verdict as one HTML file, for clients that show it beside the answer of a tool (MCP Apps): texts of the pages, their colours, no request.
 * Its own policy permits nothing but its own script and style, whatever the client permits.
 *
 * @param version - of the program
 */
export async function verdictCard(version: string): Promise<string> {
  const texts: Record<string, unknown> = {};
  for (const [language, load] of Object.entries(LANGUAGES)) texts[language] = cardTexts(await load());
  const script = await bundled(
    `import { start } from './src/card/main.ts';start(${JSON.stringify(version)},${JSON.stringify(texts)});`,
  );
  const css = readFileSync(join(HERE, 'src/card/card.css'), 'utf8');
  const { code: style } = await transform(`${tokens(css)}${css}`, {
    loader: 'css',
    minify: true,
    target: TARGET,
  });
  const policy = `default-src 'none';script-src ${hashOf(script)};style-src ${hashOf(style.trim())};base-uri 'none';form-action 'none'`;
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}"><meta name="viewport" content="width=device-width,initial-scale=1"><title>Touchstone</title><style>${style.trim()}</style></head><body><script>${script}</script></body></html>`;
}

async function bundled(contents: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: HERE, loader: 'ts' },
    bundle: true,
    write: false,
    minify: true,
    format: 'iife',
    charset: 'utf8',
    legalComments: 'none',
    target: TARGET,
  });
  const text = outputFiles[0]?.text.trim() ?? '';
  if (/<\/script|<!--/i.test(text)) throw new Error('the script of the card would end its own element');
  return text;
}

/** The colours and fonts of the pages that a style uses, colours for both schemes in one value. */
function tokens(used: string): string {
  const css = readFileSync(join(HERE, 'src/style/tokens.css'), 'utf8');
  const [light = '', dark = ''] = css.split('@media screen and (prefers-color-scheme: dark)');
  const inDark = new Map(valuesIn(dark));
  const values = valuesIn(light)
    .filter(([name]) => used.includes(`var(${name})`))
    .map(([name, value]) => {
      const other = inDark.get(name);
      return other === undefined ? `${name}:${value}` : `${name}:light-dark(${value},${other})`;
    });
  return `:root{${values.join(';')}}`;
}

function valuesIn(css: string): [string, string][] {
  return [...css.matchAll(/(--[\w-]+):\s*([^;]+);/g)].map(([, name = '', value = '']) => [name, value]);
}

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
