import type { Command } from 'commander';
import { EXIT, usage } from '../cli-error.ts';
import { type EmbeddedSite, embedSite, type PageProblem } from '../embed/embed-site.ts';
import { readPulled } from '../embed/pulled-certificates.ts';
import { createProgress } from '../output/progress.ts';
import { counted, type Paint, safe } from '../output/text.ts';
import { pullFirst } from '../pull/pull-first.ts';
import type { Session } from '../session.ts';
import { baseAddress, type GlobalOptions } from '../settings.ts';

interface EmbedOptions extends GlobalOptions {
  readonly certificates: string;
  readonly baseUrl?: string;
  readonly store?: string;
  readonly nodeId?: string;
  readonly badge?: boolean;
  readonly check?: boolean;
  readonly key?: string;
}

export function addEmbed(program: Command, session: Session): void {
  program
    .command('embed')
    .description('Update the certificates in the HTML files of a built site; no other byte is changed.')
    .argument('<folder>', 'the built site')
    .requiredOption('--certificates <folder>', 'the folder written by "certificates pull"')
    .option(
      '--base-url <url>',
      'address of the published site; pages are then found by their paths (default: by their canonical links)',
    )
    .option('--store <uuid>', 'pull the certificates of this store first')
    .option(
      '--node-id <pattern>',
      "@id of the site's own Product nodes, with {url} for the page's address, such as {url}#product",
    )
    .option(
      '--badge',
      'let pages with a certificate load the badge, shown at their <product-certificate> element',
    )
    .option('--check', 'write nothing; exit with 1 if a page is not up to date')
    .option('--key <key>', 'API key (TOUCHSTONE_KEY), for --store')
    .action((folder: string, _: unknown, command: Command) =>
      embed(session, folder, command.optsWithGlobals<EmbedOptions>()),
    );
}

async function embed(session: Session, folder: string, options: EmbedOptions): Promise<void> {
  const { io, paint } = session;
  const isCheck = options.check === true;
  if (options.store !== undefined) await pullFirst(session, options, options.store);
  const certificates = await readPulled(options.certificates, io);
  const progress = createProgress(io, 'files');
  const site = await embedSite({
    io,
    folder,
    certificates,
    baseUrl:
      options.baseUrl === undefined
        ? undefined
        : baseAddress(options.baseUrl, 'The address of the site (--base-url)'),
    nodeId: options.nodeId,
    badge: options.badge === true,
    isCheck,
    onFile: (done) => progress.update({ done, failed: 0 }),
  }).finally(() => progress.end());
  if (site.files === 0) throw usage(`There are no HTML files in ${folder}.`);
  session.print(options, { folder, check: isCheck, ...site }, () => words(site, isCheck, paint));
  const isStale = isCheck && site.written.length + site.removed.length > 0;
  session.exitCode = isStale || site.problems.length > 0 ? EXIT.failed : EXIT.verified;
}

const PROBLEMS: Readonly<Record<PageProblem, string>> = {
  not_utf8: 'is not in UTF-8 and was left unchanged',
  block_not_closed: 'ends within a certificate: its script element is not closed',
  no_place: 'is not an HTML page: it has neither a doctype nor html, head or body',
  certificate_ended: 'has an expired certificate: pull again',
};
/** Maximum number of files listed per kind. */
const NAMED = 20;

function words(site: EmbeddedSite, isCheck: boolean, paint: Paint): string {
  const { files, written, current, removed, others, unused, firstUnused, problems, oldCopies, holdsUntil } =
    site;
  const lines = [
    `${paint('strong', `${counted(written.length, 'page')} ${isCheck ? (written.length === 1 ? 'is to get' : 'are to get') : 'got'} a certificate`)}, ${current} ${current === 1 ? 'has its own' : 'have theirs'}, ${removed.length} ${isCheck ? (removed.length === 1 ? 'is to lose' : 'are to lose') : 'lost'} one, ${others} ${others === 1 ? 'is' : 'are'} without a product (${counted(files, 'file')})`,
    ...named(isCheck ? [...written, ...removed] : [], (file) => `${safe(file)} is not up to date`),
    ...named(problems, ({ file, problem }) => `${paint('bad', safe(file))} ${PROBLEMS[problem]}`),
    ...named(oldCopies, (file) => `${safe(file)} is an outdated compressed copy: compress again`),
    ...(firstUnused === undefined
      ? []
      : [
          `${unused} ${unused === 1 ? 'certificate is' : 'certificates are'} for no page of this site${unused === 1 ? '' : ', the first of them'}: ${safe(firstUnused)}`,
        ]),
    ...(holdsUntil === undefined
      ? []
      : [`The first of the certificates in pages expires ${holdsUntil.toISOString()}.`]),
  ];
  return `${lines.join('\n')}\n`;
}

function named<T>(all: readonly T[], line: (one: T) => string): string[] {
  const more = all.length - NAMED;
  return [...all.slice(0, NAMED).map(line), ...(more > 0 ? [`and ${more} more`] : [])];
}
