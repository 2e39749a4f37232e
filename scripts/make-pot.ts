import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

// Writes the translation template of the WooCommerce plugin from its sources; with --check it only tests whether that is up to date.
// WordPress's own tool for this is part of wp-cli, which no package registry has.

const PLUGIN = join(import.meta.dirname, '../integrations/woocommerce');
const FILE = join(PLUGIN, 'languages/touchstone-certificates.pot');
const DOMAIN = 'touchstone-certificates';

interface Message {
  readonly text: string;
  readonly places: string[];
  readonly notes: string[];
}

const messages = new Map<string, Message>();
for (const name of ['Plugin Name', 'Description']) {
  const line = new RegExp(`^ \\* ${name}:\\s+(.+)$`, 'm');
  add(line.exec(read('touchstone-certificates.php'))?.[1] ?? '', '', `${name} of the plugin`);
}
const files = globSync('{*.php,includes/*.php}', { cwd: PLUGIN }).toSorted();
for (const file of files) readMessages(file);

const template = `${header()}\n${[...messages.values()].map(entry).join('\n')}`;
if (!process.argv.includes('--check')) writeFileSync(FILE, template);
else if (read('languages/touchstone-certificates.pot') !== template) {
  console.error('languages/touchstone-certificates.pot is not up to date: npm run pot');
  process.exitCode = 1;
}

function read(file: string): string {
  return readFileSync(join(PLUGIN, file), 'utf8');
}

function readMessages(file: string): void {
  const source = read(file);
  const call = /\b(?:esc_html_|esc_attr_|_)_\( '((?:[^'\\]|\\.)*)', '([\w-]+)' \)/g;
  for (const { index, 1: quoted = '', 2: domain } of source.matchAll(call)) {
    if (domain !== DOMAIN) throw new Error(`${file}: a text of the domain ${domain}`);
    const before = source.slice(0, index).split('\n');
    const lines = [before.at(-1), before.at(-2), before.at(-3)].join('\n');
    const note = quoted.includes('%') ? /\/\* (translators: .*?) \*\//.exec(lines)?.[1] : undefined;
    add(quoted.replaceAll(/\\(['\\])/g, '$1'), `${file}:${before.length}`, note);
  }
}

function add(text: string, place: string, note: string | undefined): void {
  const message = messages.get(text) ?? { text, places: [], notes: [] };
  messages.set(text, message);
  // without line numbers: nobody would review a template that changes with every edit
  const file = place.replace(/:\d+$/, '');
  if (file !== '' && !message.places.includes(file)) message.places.push(file);
  if (note !== undefined && !message.notes.includes(note)) message.notes.push(note);
}

function entry({ text, places, notes }: Message): string {
  const php = /%(\d\$)?[sd]/.test(text) ? ['#, php-format'] : [];
  const lines = [...notes.map((note) => `#. ${note}`), ...places.map((place) => `#: ${place}`), ...php];
  return `${[...lines, `msgid ${JSON.stringify(text)}`, 'msgstr ""'].join('\n')}\n`;
}

function header(): string {
  return `# This file is distributed under the GPL-2.0-or-later.
msgid ""
msgstr ""
"Project-Id-Version: Touchstone Certificates for WooCommerce\\n"
"MIME-Version: 1.0\\n"
"Content-Type: text/plain; charset=UTF-8\\n"
"Content-Transfer-Encoding: 8bit\\n"
"X-Domain: ${DOMAIN}\\n"
`;
}
