import type { BlobPlace } from '../../platform/settings/config.ts';
import type { Destination } from './destination.ts';

export async function openDestination(place: BlobPlace): Promise<Destination> {
  if ('folder' in place) return (await import('./folder-destination.ts')).openFolder(place.folder);
  // the library takes a tenth of the startup time, and 30 MB
  return (await import('./s3-destination.ts')).openBucket(place);
}

/** The place, as a setting names it. */
export function nameOf(place: BlobPlace): string {
  return 'folder' in place ? place.folder : `s3://${place.bucket}/${place.prefix}`;
}

/**
 * Refuses a place that holds anything else: what is there would be overwritten, or be taken for ours.
 *
 * @param issuers - addresses of this service, the present one first
 * @throws Error saying what is there
 */
export async function claimDestination(
  destination: Destination,
  name: string,
  issuers: readonly string[],
): Promise<void> {
  const text = await destination.readMark();
  const issuer = text === null ? undefined : issuerIn(text);
  if (text === null && !(await destination.isEmpty()))
    throw new Error(
      `${name} holds files that are not copies of this service: publish to an empty folder or prefix.`,
    );
  if (text !== null && (issuer === undefined || !issuers.includes(issuer)))
    throw new Error(
      `${name} holds the copies of ${issuer ?? 'another program'}: publish to a folder or prefix of its own.`,
    );
  if (issuer !== issuers[0]) await destination.writeMark(`${JSON.stringify({ issuer: issuers[0] })}\n`);
}

function issuerIn(text: string): string | undefined {
  try {
    const { issuer } = JSON.parse(text) as { issuer?: unknown };
    return typeof issuer === 'string' ? issuer : undefined;
  } catch {
    return undefined;
  }
}
