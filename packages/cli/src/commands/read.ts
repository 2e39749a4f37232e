import { readFacts } from '@touchstone/facts';
import { type PageReading, pageNote } from '@touchstone/page';
import { readPage } from '@touchstone/page/read';
import type { Command } from 'commander';
import { EXIT, usage } from '../cli-error.ts';
import { nameOf, readInput, writeWhole } from '../files.ts';
import { explanationPage, explanationText } from '../output/explanation.ts';
import { factsOf, safe, table } from '../output/text.ts';
import type { Session } from '../session.ts';
import { type GlobalOptions, pageAddress } from '../settings.ts';

interface ReadOptions extends GlobalOptions {
  readonly url?: string;
  readonly contentType?: string;
  readonly explain?: boolean;
  readonly html?: string;
}

export function addRead(program: Command, session: Session): void {
  program
    .command('read')
    .description('Show what saved HTML states about its product, without network or service.')
    .argument('<file>', 'HTML file, or - for standard input')
    .option(
      '--url <url>',
      'address from which the page was saved; required for relative addresses and for a verdict',
    )
    .option('--content-type <type>', 'Content-Type with which it was served')
    .option('--explain', 'also show the candidates for each fact, and why one was chosen')
    .option('--html <file>', 'write the result to this file as an HTML page without scripts')
    .action(async (file: string, _: unknown, command: Command) => {
      await read(session, file, command.optsWithGlobals<ReadOptions>());
    });
}

async function read(session: Session, file: string, options: ReadOptions): Promise<void> {
  const url = options.url === undefined ? undefined : pageAddress(options.url, 'The page address (--url)');
  const html = await readInput(file, session.io);
  if (html.length === 0) throw usage(`${nameOf(file)} is empty.`);
  const readOptions = {
    // without an address, relative links do not resolve and no facts are derived from the address
    url: url ?? 'about:blank',
    ...(options.contentType === undefined ? {} : { contentType: options.contentType }),
  };
  const reading = readPage(html, readOptions, readFacts);
  const value = {
    facts: reading.facts,
    findings: findingsOf(reading),
    platform_detected: reading.platform_detected,
    certificate: reading.certificates[0] ?? null,
    ...(options.explain === true && { explanation: reading.explanation ?? [] }),
  };
  if (options.html !== undefined) {
    const page = explanationPage(url ?? nameOf(file), reading.explanation ?? []);
    await writeWhole(options.html, new TextEncoder().encode(page));
  }
  session.print(options, value, () => {
    const words = wordsOf(file, url, reading, value.findings);
    return value.explanation === undefined ? words : `${words}\n${explanationText(value.explanation)}`;
  });
  session.exitCode = EXIT.verified;
}

/** Findings of the page, a gate or wall first; the output has no separate key for it. */
function findingsOf({ gate, findings }: PageReading): readonly string[] {
  return gate === null ? findings : [pageNote(gate.code), ...findings];
}

function wordsOf(
  file: string,
  url: string | undefined,
  reading: PageReading,
  findings: readonly string[],
): string {
  const facts = Object.entries(reading.facts).flatMap(([name, fact]) => {
    if (Array.isArray(fact)) return [];
    return [[name, fact === null ? '(not stated)' : statedValue(reading.facts, name), sourceOf(fact)]];
  });
  const count = reading.certificates.length;
  const lines = [
    `${safe(nameOf(file))}, read ${url === undefined ? 'without its address (--url)' : `as ${safe(url)}`}\n`,
    table([
      ...facts,
      ['images', String(reading.facts.images.length)],
      ['platform', reading.platform_detected],
      ['certificate', count === 0 ? 'none' : count === 1 ? 'one, not verified here' : `${count}`],
    ]),
  ];
  if (findings.length > 0)
    lines.push(`Findings\n${findings.map((finding) => `  - ${safe(finding)}\n`).join('')}`);
  if (count > 0) {
    const where = url === undefined ? '; it needs the address of the page: --page-url https://…' : '.';
    lines.push(`Next: touchstone verify checks the certificate${where}\n`);
  }
  return lines.join('\n');
}

function statedValue(facts: PageReading['facts'], name: string): string {
  return safe(factsOf(facts).find(([known]) => known === name)?.[1] ?? '');
}

function sourceOf(fact: unknown): string {
  const { source, field } = (fact ?? {}) as { source?: string; field?: string };
  return source === undefined ? '' : safe(`${source} ${field ?? ''}`);
}
