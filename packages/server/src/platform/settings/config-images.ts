import { join } from 'node:path';
import type { BlobPlace } from '../../images/blobs/open-blobs.ts';
import type { SignerFiles } from '../../images/open-signer.ts';
import { DEFAULT_IMAGE_SETTINGS, type ImageSettings } from '../../images/settings.ts';
import type { SettingsReader } from './settings-reader.ts';

/** What an operator can set about images. */
export interface ImageConfig extends ImageSettings {
  /** Where certified bytes are kept. */
  readonly blobs: BlobPlace;
  /** The operator chose the place. */
  readonly blobsNamed: boolean;
  /** Absent: the development chain of the data folder. */
  readonly signer?: SignerFiles;
  /** Anchors of trusted signers, PEM; absent: none. */
  readonly trustFile?: string;
}

export function readImageConfig(read: SettingsReader, dataDir: string): ImageConfig {
  const defaults = DEFAULT_IMAGE_SETTINGS;
  const integer = (name: string, fallback: number, min: number, max: number) =>
    read.integer(`IMAGE_${name}`, { fallback, min, max });
  const trustFile = read.file('C2PA_TRUST_FILE');
  const signer = readSigner(read);
  return {
    concurrent: integer('CONCURRENT', defaults.concurrent, 0, 64),
    perHost: integer('PER_HOST', defaults.perHost, 1, 64),
    spacing: integer('SPACING_MS', defaults.spacing, 0, 60_000),
    threads: integer('PROCESSES', defaults.threads, 1, 32),
    attempts: integer('ATTEMPTS', defaults.attempts, 1, 20),
    retryDelay: integer('RETRY_SECONDS', defaults.retryDelay, 1, 3_600),
    recheck: integer('RECHECK_HOURS', defaults.recheck / 3_600, 0, 8_760) * 3_600,
    blobs: readBlobs(read, dataDir),
    blobsNamed: read.text('BLOBS') !== undefined,
    ...(signer === undefined ? {} : { signer }),
    ...(trustFile === undefined ? {} : { trustFile }),
  };
}

function readSigner(read: SettingsReader): SignerFiles | undefined {
  const certFile = read.file('C2PA_CERT_FILE');
  const keyFile = read.file('C2PA_KEY_FILE');
  if (certFile !== undefined && keyFile !== undefined) return { certFile, keyFile };
  // one that was given and cannot be read has been told already
  const [hasCert, hasKey] = [read.text('C2PA_CERT_FILE'), read.text('C2PA_KEY_FILE')].map(Boolean);
  if (hasCert && !hasKey) read.fault('C2PA_CERT_FILE', 'needs TOUCHSTONE_C2PA_KEY_FILE beside it');
  if (hasKey && !hasCert) read.fault('C2PA_KEY_FILE', 'needs TOUCHSTONE_C2PA_CERT_FILE beside it');
  return undefined;
}

const S3_PLACE = /^s3:\/\/(?<bucket>[a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/(?<prefix>.*))?$/;

/** `s3://bucket/prefix`, or a folder. Keys and endpoint come by the names that every S3 tool knows. */
function readBlobs(read: SettingsReader, dataDir: string): BlobPlace {
  const place = read.text('BLOBS');
  if (place === undefined || !/^[a-z0-9]+:\/\//i.test(place)) {
    return { folder: read.path('BLOBS') ?? join(dataDir, 'blobs') };
  }
  const { bucket, prefix } = S3_PLACE.exec(place)?.groups ?? {};
  if (bucket === undefined) {
    read.fault('BLOBS', 'must be a folder or s3://bucket/prefix');
    return { folder: join(dataDir, 'blobs') };
  }
  const region = read.foreign('AWS_REGION');
  const endpoint = read.foreign('AWS_ENDPOINT_URL_S3') ?? read.foreign('AWS_ENDPOINT_URL');
  const accessKeyId = read.foreign('AWS_ACCESS_KEY_ID');
  const secretAccessKey = read.foreign('AWS_SECRET_ACCESS_KEY');
  const sessionToken = read.foreign('AWS_SESSION_TOKEN');
  return {
    bucket,
    prefix: prefix === undefined || prefix === '' ? '' : `${prefix.replace(/\/+$/, '')}/`,
    ...(region === undefined ? {} : { region }),
    ...(endpoint === undefined ? {} : { endpoint }),
    ...(accessKeyId === undefined || secretAccessKey === undefined
      ? {}
      : {
          credentials: {
            accessKeyId,
            secretAccessKey,
            ...(sessionToken === undefined ? {} : { sessionToken }),
          },
        }),
  };
}
