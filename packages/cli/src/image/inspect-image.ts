import type { ImageInspection } from '@touchstone/image/node';
import { cannotTell, usage } from '../cli-error.ts';
import { readInput } from '../files.ts';
import type { Io } from '../io.ts';

/** Limits for opening one image on the user's machine. */
const LIMITS = { processes: 1, memoryMb: 2_000, timeoutMs: 30_000 };

interface InspectImageOptions {
  /** Name of the image in messages. */
  readonly name: string;
  /** PEM file of the authorities whose signers are trusted; without it no signer is. */
  readonly trust?: string | undefined;
}

/**
 * Opens an image and reports its content.
 *
 * @throws CliError (could not tell) if the image cannot be opened; CliError (usage) for an invalid trust list
 */
export async function inspectImage(
  bytes: Uint8Array,
  { name, trust }: InspectImageOptions,
  io: Io,
): Promise<ImageInspection> {
  const pem = trust === undefined ? '' : new TextDecoder().decode(await readInput(trust, io));
  if (trust !== undefined && !pem.includes('BEGIN CERTIFICATE')) {
    throw usage(`${trust} contains no PEM certificate.`);
  }
  // loaded on demand: no other command opens images
  const { ImageFault, openImageWorkers } = await import('@touchstone/image/node');
  const workers = openImageWorkers({
    ...LIMITS,
    trust: { name: trust ?? 'no list', date: io.now().toISOString().slice(0, 10), anchorsPem: pem },
  });
  try {
    return await workers.inspect(bytes);
  } catch (error) {
    if (!(error instanceof ImageFault)) throw error;
    throw cannotTell('image_unavailable', `${name} was not opened. ${error.message}`);
  } finally {
    await workers.close();
  }
}
