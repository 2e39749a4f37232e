import { VERSION } from '@touchstone/certificate';
import type { ImageInspection, ImageWorkers } from '@touchstone/image/node';
import type { Logger } from 'pino';
import type { Clock } from '../../platform/clock.ts';
import type { Config, SignerFiles } from '../../platform/settings/config.ts';
import { type ImageSigner, NEVER, openSigner, SignerFileError } from './signer.ts';
import { openTimeStamps } from './time-stamps.ts';

export interface TestedSigner {
  readonly signer: ImageSigner;
  /** When a signature made now would expire. */
  readonly renewedUntil: Date;
}

/**
 * Opens the signer, with time stamps where they are configured, and tests it, unless this node signs nothing.
 *
 * @throws SignerFileError for a chain that cannot sign
 */
export async function openTestedSigner(
  { config, clock, logger }: { readonly config: Config; readonly clock: Clock; readonly logger: Logger },
  workers: Pick<ImageWorkers, 'sign' | 'inspect'>,
): Promise<TestedSigner> {
  const { signer: files, timeStampUrl, concurrent } = config.images;
  const opened = await openSigner(files, config.dataDir, clock());
  if (opened.isDevelopment) logger.info('images are signed by a development chain, which nobody trusts');
  const { validUntil, credentials } = opened;
  // a chain that we generated conforms to the profile
  if (concurrent === 0 || (opened.isDevelopment && timeStampUrl === undefined))
    return { signer: opened, renewedUntil: validUntil };
  const onFault = (error: Error) => logger.warn(error.message);
  const timeStamp =
    timeStampUrl === undefined ? undefined : openTimeStamps({ url: timeStampUrl, clock, onFault });
  const signer = { ...opened, credentials: { ...credentials, timeStamp } };
  const { manifest } = await signTestPicture(signer, files, workers);
  if (timeStamp === undefined) return { signer, renewedUntil: validUntil };
  if (manifest.signer?.timeTrusted === true) return { signer, renewedUntil: NEVER };
  logger.warn(
    'The test signature has no time stamp by an authority that is trusted here (TOUCHSTONE_C2PA_TSA_URL, TOUCHSTONE_C2PA_TSA_TRUST_FILE): until there is one, signatures of images end with their certificate.',
  );
  return { signer, renewedUntil: validUntil };
}

/**
 * Signs a tiny picture and inspects it, so that a chain that cannot sign is found at startup, not with a shop's first image.
 *
 * @throws SignerFileError with the engine's reason and what to do
 */
export async function signTestPicture(
  { credentials }: ImageSigner,
  files: SignerFiles | undefined,
  workers: Pick<ImageWorkers, 'sign' | 'inspect'>,
): Promise<ImageInspection> {
  try {
    const manifest = { title: 'A test', claimGenerator: { name: 'Touchstone', version: VERSION } };
    const signed = await workers.sign(TEST_PICTURE, { ...manifest, ...PUBLISHED }, credentials);
    return await workers.inspect(signed);
  } catch (error) {
    const chain = files === undefined ? 'the development chain in the data folder' : files.certFile;
    throw new SignerFileError(`A test picture cannot be signed by ${chain}: ${messageOf(error)} ${ADVICE}`, {
      cause: error,
    });
  }
}

const ADVICE =
  'Images need a chain of the C2PA certificate profile (C2PA 2.1, 14.5.1): a leaf that is not an authority, with key usage digitalSignature and the extended key usage emailProtection, documentSigning or C2PA signing, then its intermediates, each before its issuer, all of them in force.';

const PUBLISHED = { actions: [{ action: 'c2pa.published' }], assertions: [] };

/** A PNG of one grey pixel. */
const TEST_PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg==',
  'base64',
);

function messageOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return /[.!?]$/.test(message) ? message : `${message}.`;
}
