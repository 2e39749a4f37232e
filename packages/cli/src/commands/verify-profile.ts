import type { Trust } from '@touchstone/certificate';
import type { Profile } from '@touchstone/certificate/verify';
import type { CheckedPage } from '@touchstone/page';
import { EXIT_OF_PROFILE, usage } from '../cli-error.ts';
import { nameOf, readInput } from '../files.ts';
import { inspectImage } from '../image/inspect-image.ts';
import { profileText } from '../output/profile.ts';
import type { Session } from '../session.ts';
import type { GlobalOptions } from '../settings.ts';
import { type ProfileRequest, verifyFoundByProfile } from '../verify/profile.ts';

export interface ProfileOptions extends GlobalOptions {
  readonly profile?: Profile;
  readonly image?: string;
  readonly trust?: string;
  readonly productId?: string;
}

/** The profile that was asked for; `undefined` where none was. @throws CliError for what cannot go together */
export function profileAsked({ profile, image, trust }: ProfileOptions, target: string): Profile | undefined {
  if (profile === 'full' && image === undefined) {
    throw usage(
      '--profile full is about the bytes of an image.',
      'Name the image as it is seen: --image <file>.',
    );
  }
  if (trust !== undefined && image === undefined)
    throw usage('--trust is about the signer of an image: --image <file>.');
  if (image === '-' && target === '-')
    throw usage('Standard input is the certificate or the image, not both.');
  return profile ?? (image === undefined ? undefined : 'full');
}

/** Reports what a certificate comes to by a profile. */
export async function reportProfile(
  session: Session,
  profile: Profile,
  found: { readonly document: unknown; readonly pageUrl: string; readonly subject: string },
  options: ProfileOptions,
  trust: Trust,
): Promise<void> {
  const { document, pageUrl, subject } = found;
  const outcome = await verifyFoundByProfile({
    document,
    profile,
    pageUrl,
    productId: options.productId?.toLowerCase(),
    ...(await imageOf(session, options)),
    trust,
    now: session.io.now(),
  });
  const { status, ...rest } = outcome;
  session.print(options, { profile, status, page: pageUrl, ...rest }, () =>
    profileText(subject, pageUrl, profile, outcome, session.paint),
  );
  session.exitCode = EXIT_OF_PROFILE[status];
}

/** What the visitor sees, where it is at hand. */
async function imageOf(
  { io }: Session,
  options: ProfileOptions,
): Promise<Pick<ProfileRequest, 'image' | 'readManifest'>> {
  if (options.image === undefined) return {};
  const name = nameOf(options.image);
  const image = await readInput(options.image, io);
  const readManifest = async () => (await inspectImage(image, { name, trust: options.trust }, io)).manifest;
  return { image, readManifest };
}

/** The certificate on a page that a profile can judge; `null` where the verdict on the page says all there is. */
export function certificateOn({
  observation,
  judgement: { decidedBy },
}: CheckedPage): { readonly document: unknown; readonly pageUrl: string; readonly subject: string } | null {
  if (decidedBy?.kind !== 'checked') return null;
  return { document: decidedBy.node, pageUrl: observation.finalUrl, subject: observation.url };
}
