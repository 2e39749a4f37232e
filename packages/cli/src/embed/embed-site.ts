import { isUtf8 } from 'node:buffer';
import { join } from 'node:path';
import { certificateScript, embedCertificate } from '@touchstone/certificate/embed';
import { cannotTell } from '../cli-error.ts';
import type { Io } from '../io.ts';
import { addressesOf, statedAddress } from './page-addresses.ts';
import type { PulledCertificate, PulledCertificates } from './pulled-certificates.ts';

interface EmbedSiteOptions {
  readonly io: Io;
  readonly folder: string;
  readonly certificates: PulledCertificates;
  /** Base address of the published site; if absent, pages are identified by their canonical links. */
  readonly baseUrl?: string | undefined;
  /** `@id` of the site's own Product nodes; `{url}` is replaced by the page's address. */
  readonly nodeId?: string | undefined;
  /** Whether pages with a certificate load the badge script. */
  readonly badge: boolean;
  /** Writes nothing. */
  readonly isCheck: boolean;
  readonly onFile: (done: number) => void;
}

/** Why a page that needs a change was left unchanged. */
export type PageProblem =
  /** It is not UTF-8. */
  | 'not_utf8'
  /** It ends inside a block of ours, so the block's end is unknown. */
  | 'block_not_closed'
  /** It has no place for a script, so it is no HTML page. */
  | 'no_place'
  /** The proof of its certificate has expired: the folder is outdated. */
  | 'certificate_ended';

export interface EmbeddedSite {
  /** Number of HTML files. */
  readonly files: number;
  /** Pages with a new or changed certificate; with `isCheck`, those that would get one. */
  readonly written: string[];
  /** Number of pages whose certificate is up to date. */
  readonly current: number;
  /** Pages whose certificate was removed, since the folder has none for them. */
  readonly removed: string[];
  /** Number of pages without a product. */
  readonly others: number;
  /** Number of certificates whose page is not on the site. */
  readonly unused: number;
  /** The page address of one of them. */
  readonly firstUnused: string | undefined;
  readonly problems: { readonly file: string; readonly problem: PageProblem }[];
  /** Compressed copies of written pages; they are outdated now. */
  readonly oldCopies: string[];
  /** Earliest expiry of the proofs on the site. */
  readonly holdsUntil: Date | undefined;
}

const HTML = /\.html?$/i;

/**
 * Updates the certificates of a built site: each page gets the one signed for its address, and loses one that no longer exists. No other
 * byte is changed, files are replaced atomically, and symbolic links are not followed.
 *
 * @throws CliError if it was stopped; Node's errors for files that cannot be read or written
 */
export async function embedSite(options: EmbedSiteOptions): Promise<EmbeddedSite> {
  const { io, folder, certificates, isCheck, onFile } = options;
  const site = {
    files: 0,
    written: [] as string[],
    current: 0,
    removed: [] as string[],
    others: 0,
    problems: [] as { file: string; problem: PageProblem }[],
    oldCopies: [] as string[],
  };
  const used = new Set<string>();
  let holdsUntil: Date | undefined;
  for await (const { path, names } of io.foldersBelow(folder)) {
    for (const name of names.filter((one) => HTML.test(one)).toSorted()) {
      if (io.stop.aborted) throw cannotTell('stopped', 'Stopped. Run it again to continue.');
      const file = path === '' ? name : `${path}/${name}`;
      const html = await bytesOf(join(folder, file), io);
      const outcome = pageOf(file, html, options);
      site.files += 1;
      onFile(site.files);
      const { certificate } = outcome;
      if (certificate !== null) used.add(certificate.productId);
      if (certificate !== null && outcome.kind !== 'problem') {
        if (holdsUntil === undefined || certificate.endsAt < holdsUntil) holdsUntil = certificate.endsAt;
      }
      if (outcome.kind === 'problem') site.problems.push({ file, problem: outcome.problem });
      else if (outcome.kind === 'same') {
        if (certificate === null) site.others += 1;
        else site.current += 1;
      } else {
        (certificate === null ? site.removed : site.written).push(file);
        if (!isCheck) await io.writeFile(join(folder, file), outcome.html);
        const copies = ['gz', 'br', 'zst'].map((ending) => `${name}.${ending}`);
        for (const copy of copies.filter((one) => names.includes(one)))
          site.oldCopies.push(path === '' ? copy : `${path}/${copy}`);
      }
    }
  }
  const unusedUrls = certificates.urlsBut(used);
  return {
    ...site,
    unused: unusedUrls.length,
    firstUnused: unusedUrls[0],
    holdsUntil,
  };
}

type PageOutcome = { readonly certificate: PulledCertificate | null } & (
  | { readonly kind: 'same' }
  | { readonly kind: 'changed'; readonly html: Uint8Array }
  | { readonly kind: 'problem'; readonly problem: PageProblem }
);

/** What to do with one page. */
function pageOf(
  file: string,
  html: Buffer,
  { io, certificates, baseUrl, nodeId, badge }: EmbedSiteOptions,
): PageOutcome {
  const certificate = certificates.find(
    baseUrl === undefined ? statedAddress(html) : addressesOf(file, baseUrl),
  );
  const problem = (found: PageProblem) => ({ kind: 'problem', problem: found, certificate }) as const;
  const isEnded = certificate !== null && certificate.endsAt <= io.now();
  if (isEnded) return problem('certificate_ended');
  const id = certificate === null ? undefined : nodeId?.replaceAll('{url}', certificate.url);
  const script = certificate === null ? null : certificateScript(certificate.document, { nodeId: id, badge });
  const done = embedCertificate(html, script);
  if (done === null) return problem('block_not_closed');
  if (script !== null && !done.isPut) return problem('no_place');
  if (html.equals(done.html)) return { kind: 'same', certificate };
  return isUtf8(html) ? { kind: 'changed', html: done.html, certificate } : problem('not_utf8');
}

async function bytesOf(path: string, io: Io): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of io.readFile(path)) pieces.push(piece);
  return Buffer.concat(pieces);
}
