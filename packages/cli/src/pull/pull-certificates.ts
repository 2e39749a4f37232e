import { join } from 'node:path';
import { certificateJson } from '@touchstone/certificate/embed';
import type { CertificateLine } from '@touchstone/contract';
import type { Credential } from '@touchstone/fetch/credential';
import { cannotTell, EXIT, usage } from '../cli-error.ts';
import type { NameOf } from '../input-names.ts';
import type { Io } from '../io.ts';
import { errorOfAnswer, isRecord, reasonOf, unreachable } from '../problem.ts';
import { CertificateIndex } from './certificate-index.ts';

interface CertificatePullOptions {
  readonly baseUrl: string;
  readonly credential: Credential;
  readonly io: Io;
  readonly storeId: string;
  readonly folder: string;
  /** Starts from the beginning, whatever the folder contains. */
  readonly all: boolean;
  readonly since?: string;
  /** Maps a member of a request to its name on the command line. */
  readonly nameOf: NameOf;
  readonly onLine: (done: number) => void;
  /** Called before each wait. */
  readonly onRetry: (reason: string) => void;
}

export interface PulledCertificates {
  readonly written: number;
  /** Files that were already up to date. */
  readonly present: number;
  readonly removed: number;
  /** Products whose certificate could not be issued. */
  readonly failed: number;
  /** Certificates in the folder now. */
  readonly certificates: number;
  /** Those whose proof has expired: the service has no newer one. */
  readonly ended: number;
  /** Earliest expiry of these proofs, RFC 3339. */
  readonly replaceBy?: string;
  /** Cursor for the next pull. */
  readonly cursor: string;
}

/** State file of a folder, written after the certificates it refers to. */
export const PULL_STATE = 'pulled.json';
/** Lines between two writes of the state. */
const SAVED_EVERY = 500;
/** Consecutive attempts without a line; the waits in milliseconds double from the first. */
const ATTEMPTS = 6;
const FIRST_WAIT = 500;

/** Names of certificate files. */
export const CERTIFICATE_FILE = /^[0-9a-f]{8}-[0-9a-f-]{27}\.json$/;

/**
 * Updates a folder: one file per certificate, named by product id and written atomically, and an index. Continues after the last run, also
 * after one that was stopped, and reconnects when a connection breaks.
 *
 * @throws CliError if the service cannot be called, the folder belongs to another store, or it was stopped
 */
export async function pullCertificates(options: CertificatePullOptions): Promise<PulledCertificates> {
  const { io, folder, baseUrl: service, storeId } = options;
  const path = join(folder, PULL_STATE);
  const save = (cursor: string) =>
    io.writeFile(path, Buffer.from(`${JSON.stringify({ service, storeId, cursor })}\n`));
  const known = await readState(path, options);
  // a folder without an index, from an earlier version, is read from the beginning
  const isUsable = options.all
    ? false
    : options.since !== undefined || (await CertificateIndex.isThere(io, folder));
  const begun = isUsable ? (options.since ?? known) : undefined;
  // without a cursor to continue from, files that the stream does not mention are removed
  const anew = begun === undefined;
  const present = anew ? (await io.namesIn(folder)).filter((name) => CERTIFICATE_FILE.test(name)) : [];
  const listed = present.length > 0 ? new Set<string>() : null;
  const index = await CertificateIndex.open(io, folder, anew);
  const counts = { written: 0, present: 0, removed: 0 };
  let lines = 0;
  try {
    for await (const line of linesFrom(options, begun)) {
      if (line.status === 'current') {
        const file = fileOf(line.productId);
        listed?.add(file);
        // serialized for inclusion in pages, so that a template can include the file unchanged
        counts[await put(io, join(folder, file), certificateJson(line.certificate))] += 1;
        index.put({ ...line, productId: line.productId.toLowerCase(), file });
      } else if (line.status === 'withdrawn') {
        counts.removed += 1;
        await io.removeFile(join(folder, fileOf(line.productId)));
        index.remove(line.productId.toLowerCase());
      } else if (line.status === 'end') {
        const gone = listed === null ? [] : present.filter((name) => !listed.has(name));
        for (const name of gone) await io.removeFile(join(folder, name));
        counts.removed += gone.length;
        const ends = await index.finish({ service, storeId }, anew);
        await save(line.cursor);
        return { ...counts, failed: line.failed, cursor: line.cursor, ...endsOf(ends, io.now()) };
      }
      lines += 1;
      options.onLine(lines);
      if (lines % SAVED_EVERY !== 0) continue;
      await index.save();
      // which of the existing files to remove is known only at the end: until then, a stopped run starts from the beginning
      if (listed === null) await save(line.cursor);
    }
  } catch (error) {
    await index.save();
    await index.close();
    throw error;
  }
  throw new Error('the stream ended early');
}

function endsOf(
  ends: readonly string[],
  now: Date,
): Pick<PulledCertificates, 'certificates' | 'ended' | 'replaceBy'> {
  const times = ends.map((end) => Date.parse(end));
  const first = times.reduce((least, time) => Math.min(least, time), Number.POSITIVE_INFINITY);
  const ended = times.filter((time) => time <= now.getTime()).length;
  const replaceBy = Number.isFinite(first) ? { replaceBy: new Date(first).toISOString() } : {};
  return { certificates: times.length, ended, ...replaceBy };
}

const fileOf = (productId: string) => `${productId.toLowerCase()}.json`;

async function put(io: Io, path: string, text: string): Promise<'written' | 'present'> {
  const bytes = Buffer.from(text);
  if ((await bytesAt(io, path))?.equals(bytes) === true) return 'present';
  await io.writeFile(path, bytes);
  return 'written';
}

async function bytesAt(io: Io, path: string): Promise<Buffer | null> {
  const pieces: Uint8Array[] = [];
  try {
    for await (const piece of io.readFile(path)) pieces.push(piece);
  } catch {
    return null;
  }
  return Buffer.concat(pieces);
}

async function readState(
  path: string,
  { io, storeId, folder }: CertificatePullOptions,
): Promise<string | undefined> {
  const bytes = await bytesAt(io, path);
  if (bytes === null) return undefined;
  let state: unknown;
  try {
    state = JSON.parse(bytes.toString());
  } catch {
    return undefined;
  }
  if (!isRecord(state) || typeof state.cursor !== 'string') return undefined;
  if (state.storeId !== storeId)
    throw usage(
      `The folder ${folder} holds the certificates of store ${String(state.storeId)}: choose another with --out.`,
    );
  return state.cursor;
}

/** All lines to the end of the stream, over as many connections as needed. */
async function* linesFrom(
  { baseUrl, credential, io, storeId, folder, onRetry, nameOf, since: named }: CertificatePullOptions,
  since: string | undefined,
): AsyncGenerator<Exclude<CertificateLine, { status: 'aborted' }>, void, undefined> {
  const [{ streamCertificates }, { AnswerError, createClient }] = await Promise.all([
    import('@touchstone/contract'),
    import('@touchstone/contract/client'),
  ]);
  const client = createClient({ baseUrl, fetch: io.fetch, credential });
  let cursor = since;
  for (let attempt = 1; ; attempt += 1) {
    let fault: unknown = new Error('the connection was interrupted');
    try {
      const query = cursor === undefined ? {} : { since: cursor };
      const lines = client.lines(
        streamCertificates,
        { params: { store_id: storeId }, query },
        { signal: io.stop },
      );
      for await (const line of lines) {
        if (line.status === 'aborted') {
          fault = new Error(`${line.detail} (${line.code})`);
          break;
        }
        cursor = line.cursor;
        attempt = 1;
        yield line;
        if (line.status === 'end') return;
      }
    } catch (error) {
      if (io.stop.aborted) throw cannotTell('stopped', 'Stopped. Run it again to continue.');
      const answer = error instanceof AnswerError ? error : undefined;
      const isFinal = answer !== undefined && answer.status < 500 && answer.status !== 429;
      if (answer !== undefined && (isFinal || attempt >= ATTEMPTS)) {
        const refusal = errorOfAnswer(answer, baseUrl, nameOf);
        if (answer.status !== 400 || named !== undefined) throw refusal;
        // the cursor comes from the folder, not from the user
        throw refusal.withMessage(refusal.message, {
          hint: `To download all again: touchstone certificates pull ${storeId} --out ${folder} --all`,
          exitCode: EXIT.cannotTell,
        });
      }
      fault = error;
    }
    if (attempt >= ATTEMPTS) throw unreachable(baseUrl, fault);
    onRetry(reasonOf(fault));
    await io.sleep(FIRST_WAIT * 2 ** (attempt - 1));
  }
}
