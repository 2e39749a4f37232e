import type { Profile } from '@touchstone/certificate/verify';
import type { Observation } from '@touchstone/page';
import { usage } from '../cli-error.ts';
import { EXIT_OF_PROFILE } from '../exit-codes.ts';
import { inspectImage } from '../image/inspect-image.ts';
import { nameOf, readInput } from '../input.ts';
import { profileText } from '../output/profile.ts';
import type { Session } from '../session.ts';
import type { GlobalOptions } from '../settings.ts';
import type { JudgedPage } from '../verify/page.ts';
import { type ProfileRequest, verifyByProfiles } from '../verify/profile.ts';
import type { Trust } from '../verify/trust.ts';

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

/** Tells by a profile what a certificate is worth. */
export async function tellProfile(
  session: Session,
  profile: Profile,
  found: { readonly document: unknown; readonly pageUrl: string; readonly subject: string },
  options: ProfileOptions,
  trust: Trust,
): Promise<void> {
  const { document, pageUrl, subject } = found;
  const { productId } = options;
  const image = await imageOf(session, options);
  const outcome = await verifyByProfiles({
    document,
    pageUrl,
    productId,
    image,
    trust,
    now: session.io.now(),
  });
  const status = outcome.profiles[profile];
  session.print(options, { profile, status, page: pageUrl, ...outcome }, () =>
    profileText(subject, pageUrl, profile, outcome, session.paint),
  );
  session.exitCode = EXIT_OF_PROFILE[status];
}

async function imageOf({ io }: Session, options: ProfileOptions): Promise<ProfileRequest['image']> {
  if (options.image === undefined) return undefined;
  const name = nameOf(options.image);
  const bytes = await readInput(options.image, io);
  const readManifest = async () => (await inspectImage(bytes, { name, trust: options.trust }, io)).manifest;
  return { bytes, readManifest };
}

/** The certificate on a page that a profile can judge; `null` where the verdict on the page says all there is. */
export function certificateOn(
  observation: Observation,
  { judgement }: JudgedPage,
): { readonly document: unknown; readonly pageUrl: string; readonly subject: string } | null {
  const { decidedBy } = judgement;
  if (decidedBy?.kind !== 'verified_by') return null;
  return { document: decidedBy.node, pageUrl: observation.finalUrl, subject: observation.url };
}
