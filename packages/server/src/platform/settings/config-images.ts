import { join } from 'node:path';
import type { SettingsReader } from './settings-reader.ts';

/** Files of the operator's own chain: certificates (the signer's first) and PKCS #8 key, PEM. */
export interface SignerFiles {
  readonly certFile: string;
  readonly keyFile: string;
}

/** Where blobs are kept. */
export type BlobPlace = { readonly folder: string } | S3Place;

export interface S3Place {
  readonly bucket: string;
  /** Before every name; empty, or with a slash at its end. */
  readonly prefix: string;
  /** Absent: as the library finds it. */
  readonly region?: string;
  /** Of a service other than Amazon's. */
  readonly endpoint?: string;
  /** Absent: as the library finds them (role of the machine …). */
  readonly credentials?: {
    readonly accessKeyId: string;
    readonly secretAccessKey: string;
    readonly sessionToken?: string;
  };
}

/** How images are fetched and looked at. */
export interface ImageSettings {
  /** Images under way at one node. */
  readonly concurrent: number;
  /** Of these, from one host, over all nodes. */
  readonly perHost: number;
  /** Milliseconds between two requests to one host, over all nodes. */
  readonly spacing: number;
  /** Threads that decode and validate. */
  readonly threads: number;
  /** Attempts before an image counts as failed. */
  readonly attempts: number;
  /** Seconds before the second attempt; doubled each time. */
  readonly retryDelay: number;
  /** Seconds between two looks at an image; 0: it is looked at once. */
  readonly recheck: number;
}

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
  const integer = (name: string, fallback: number, min: number, max: number) =>
    read.integer(`IMAGE_${name}`, { fallback, min, max });
  const trustFile = read.file('C2PA_TRUST_FILE');
  const signer = readSigner(read);
  return {
    concurrent: integer('CONCURRENT', 8, 0, 64),
    perHost: integer('PER_HOST', 4, 1, 64),
    spacing: integer('SPACING_MS', 50, 0, 60_000),
    threads: integer('PROCESSES', 2, 1, 32),
    attempts: integer('ATTEMPTS', 8, 1, 20),
    retryDelay: integer('RETRY_SECONDS', 10, 1, 3_600),
    recheck: integer('RECHECK_HOURS', 24, 0, 8_760) * 3_600,
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
