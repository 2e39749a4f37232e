import { ImageFault, type ImageInspection, openImageWorkers } from '@touchstone/image/node';
import { pageNote } from '@touchstone/page';
import type { Command } from 'commander';
import { cannotTell, usage } from '../cli-error.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { nameOf, readInput } from '../input.ts';
import type { Io } from '../io.ts';
import { imageText } from '../output/image.ts';
import type { Session } from '../session.ts';
import type { GlobalOptions } from '../settings.ts';
import { fetchImage } from '../verify/source.ts';

interface InspectOptions extends GlobalOptions {
  readonly trust?: string;
  readonly connectTo?: readonly string[];
  readonly caFile?: string;
}

export function addInspect(program: Command, session: Session): void {
  program
    .command('inspect')
    .description('Tell what an image carries: its C2PA manifest, who signed it, its hashes.')
    .argument('<file|url>', 'image file, - for standard input, or the address of an image')
    .option(
      '--connect-to <host=addr:port>',
      'dial a host elsewhere, also on a private network; repeatable',
      (entry: string, before: string[] = []) => [...before, entry],
    )
    .option('--ca-file <file>', 'PEM certificates to trust for the image’s host, beside the usual ones')
    .option('--trust <file>', 'PEM certificates of the authorities whose signers you trust')
    .action(async (file: string, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<InspectOptions>();
      const inspection = await inspect(session, file, options);
      session.print(options, inspection, () => imageText(nameOf(file), inspection, session.paint));
      session.exitCode = exitCodeOf(inspection);
    });
}

/** What opening one image may take on a machine where somebody waits for it. */
const LIMITS = { processes: 1, memoryMb: 2_000, timeoutMs: 30_000 };

async function inspect(session: Session, file: string, options: InspectOptions): Promise<ImageInspection> {
  const { trust } = options;
  const bytes = await bytesOf(file, options, session.io);
  const pem = trust === undefined ? '' : new TextDecoder().decode(await readInput(trust, session.io));
  if (trust !== undefined && !pem.includes('BEGIN CERTIFICATE'))
    throw usage(`${trust} holds no PEM certificate.`);
  const workers = openImageWorkers({
    ...LIMITS,
    trust: { name: trust ?? 'no list', date: session.io.now().toISOString().slice(0, 10), anchorsPem: pem },
  });
  try {
    return await workers.inspect(bytes);
  } catch (error) {
    if (!(error instanceof ImageFault)) throw error;
    throw cannotTell(`${nameOf(file)} was not opened. ${error.message}`);
  } finally {
    await workers.close();
  }
}

async function bytesOf(target: string, options: InspectOptions, io: Io): Promise<Uint8Array> {
  if (!/^https?:/i.test(target)) return readInput(target, io);
  const fetched = await fetchImage(target, options, io);
  if (fetched.kind === 'bytes') return fetched.body;
  const why = fetched.kind === 'failed' ? pageNote(fetched.code, fetched.detail) : 'nothing changed';
  throw cannotTell(`The image was not fetched: ${why}`);
}

function exitCodeOf({ manifest }: ImageInspection): ExitCode {
  if (manifest.valid) return EXIT.verified;
  return manifest.hasManifest ? EXIT.failed : EXIT.unverified;
}
