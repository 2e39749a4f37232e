import type { ImageInspection } from '@touchstone/image/node';
import { cannotTell, usage } from '../cli-error.ts';
import { readInput } from '../files.ts';
import type { Io } from '../io.ts';

/** What opening one image may take on a machine where somebody waits for it. */
const LIMITS = { processes: 1, memoryMb: 2_000, timeoutMs: 30_000 };

export interface InspectImageOptions {
  /** What the image is called in messages. */
  readonly name: string;
  /** File of the authorities whose signers are trusted, PEM; nobody is trusted without it. */
  readonly trust?: string | undefined;
}

/**
 * Opens an image and tells what it carries.
 *
 * @throws CliError: could not tell, when the image cannot be opened; usage, for a trust list that is none
 */
export async function inspectImage(
  bytes: Uint8Array,
  { name, trust }: InspectImageOptions,
  io: Io,
): Promise<ImageInspection> {
  const pem = trust === undefined ? '' : new TextDecoder().decode(await readInput(trust, io));
  if (trust !== undefined && !pem.includes('BEGIN CERTIFICATE')) {
    throw usage(`${trust} holds no PEM certificate.`);
  }
  // loaded only when asked for: every other command does without what opens images
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
