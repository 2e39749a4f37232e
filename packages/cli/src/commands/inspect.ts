import type { ImageInspection } from '@touchstone/image/node';
import { pageNote } from '@touchstone/page';
import type { Command } from 'commander';
import { cannotTell, EXIT, type ExitCode } from '../cli-error.ts';
import { nameOf, readInput } from '../files.ts';
import { inspectImage } from '../image/inspect-image.ts';
import type { Io } from '../io.ts';
import { imageText } from '../output/image.ts';
import type { Session } from '../session.ts';
import type { GlobalOptions } from '../settings.ts';
import { sourceOptions } from '../verify/options.ts';
import { fetchImage, type SourceOptions } from '../verify/source.ts';

interface InspectOptions extends GlobalOptions, SourceOptions {
  readonly trust?: string;
}

export function addInspect(program: Command, session: Session): void {
  const added = program
    .command('inspect')
    .description('Show the C2PA manifest of an image, its signer, and the hashes of the image.')
    .argument('<file|url>', 'image file, - for standard input, or the address of an image')
    .option('--trust <file>', 'PEM certificates of the authorities whose signers you trust')
    .action(async (file: string, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<InspectOptions>();
      const inspection = await inspect(session, file, options);
      session.print(options, inspection, () => imageText(nameOf(file), inspection, session.paint));
      session.exitCode = exitCodeOf(inspection);
    });
  for (const option of sourceOptions()) added.addOption(option);
}

async function inspect(session: Session, file: string, options: InspectOptions): Promise<ImageInspection> {
  const bytes = await bytesOf(file, options, session.io);
  return inspectImage(bytes, { name: nameOf(file), trust: options.trust }, session.io);
}

async function bytesOf(target: string, options: InspectOptions, io: Io): Promise<Uint8Array> {
  if (!/^https?:/i.test(target)) return readInput(target, io);
  const fetched = await fetchImage(target, options, io);
  if (fetched.kind === 'bytes') return fetched.body;
  const why = fetched.kind === 'failed' ? pageNote(fetched.code, fetched.detail) : 'nothing changed';
  throw cannotTell('image_unavailable', `The image was not fetched: ${why}`);
}

function exitCodeOf({ manifest }: ImageInspection): ExitCode {
  if (manifest.valid) return EXIT.verified;
  return manifest.hasManifest ? EXIT.failed : EXIT.unverified;
}
