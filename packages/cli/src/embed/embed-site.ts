import { isUtf8 } from 'node:buffer';
import { join } from 'node:path';
import { certificateScript, embedCertificate } from '@touchstone/certificate/embed';
import { cannotTell } from '../cli-error.ts';
import type { Io } from '../io.ts';
import { addressesOf, statedAddress } from './page-addresses.ts';
import type { PulledCertificate, PulledCertificates } from './pulled-certificates.ts';

export interface EmbedSiteOptions {
  readonly io: Io;
  readonly folder: string;
  readonly certificates: PulledCertificates;
  /** Where the site will stand; left out, pages are found by their canonical links. */
  readonly baseUrl?: string | undefined;
  /** The `@id` of the site's own Product nodes; `{url}` stands for the page's address. */
  readonly nodeId?: string | undefined;
  /** Whether pages with a certificate load the badge's script. */
  readonly badge: boolean;
  /** Nothing is written. */
  readonly isCheck: boolean;
  readonly onFile: (done: number) => void;
}

/** Why a page was left as it is, though it is to be changed. */
export type PageProblem =
  /** The bytes are no UTF-8. */
  | 'not_utf8'
  /** It ends within a block of ours, so what follows it cannot be told. */
  | 'block_not_closed'
  /** It has no place for a script: it is no page. */
  | 'no_place'
  /** The proof of its certificate has ended: the folder is old. */
  | 'certificate_ended';

export interface EmbeddedSite {
  /** HTML files. */
  readonly files: number;
  /** Pages that got a certificate, or another one; with `isCheck`, that are to get one. */
  readonly written: string[];
  /** Pages whose certificate is the one that there is. */
  readonly current: number;
  /** Pages whose certificate was taken out, since there is none for them any more. */
  readonly removed: string[];
  /** Pages without a product. */
  readonly others: number;
  /** Certificates that are for no page of the site. */
  readonly unused: number;
  /** The address of the page of one of them. */
  readonly firstUnused?: string;
  readonly problems: { readonly file: string; readonly problem: PageProblem }[];
  /** Compressed copies beside pages that were written: of before, now. */
  readonly oldCopies: string[];
  /** When the first proof on the site ends. */
  readonly holdsUntil?: Date;
}

const HTML = /\.html?$/i;

/**
 * Brings the certificates of a built site up to date: each page gets the one that was signed for its address, and loses one
 * that there is no more. No other byte is altered, files are replaced whole, and symbolic links are not followed.
 *
 * @throws CliError when it was stopped; Node's errors for files that cannot be read or written
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
      if (io.stop.aborted) throw cannotTell('stopped', 'Stopped. Run it again to go on.');
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
    ...(unusedUrls[0] === undefined ? {} : { firstUnused: unusedUrls[0] }),
    ...(holdsUntil === undefined ? {} : { holdsUntil }),
  };
}

type PageOutcome = { readonly certificate: PulledCertificate | null } & (
  | { readonly kind: 'same' }
  | { readonly kind: 'changed'; readonly html: Uint8Array }
  | { readonly kind: 'problem'; readonly problem: PageProblem }
);

/** What becomes of one page. */
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
