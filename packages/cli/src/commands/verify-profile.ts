import { isAboutAnotherPage, type Trust } from '@touchstone/certificate';
import type { Profile } from '@touchstone/certificate/verify';
import type { CheckedPage } from '@touchstone/page';
import { EXIT, EXIT_OF_PROFILE, usage } from '../cli-error.ts';
import { nameOf, readInput } from '../files.ts';
import { inspectImage } from '../image/inspect-image.ts';
import { profileText } from '../output/profile.ts';
import type { Session } from '../session.ts';
import type { GlobalOptions } from '../settings.ts';
import type { LandingOptions } from '../verify/landing.ts';
import { type ProfileRequest, verifyFoundByProfile } from '../verify/profile.ts';

export interface ProfileOptions extends GlobalOptions, LandingOptions {
  readonly profile?: Profile;
  readonly image?: string;
  readonly trust?: string;
  readonly productId?: string;
}

/** The profile given by `--profile`, if any. @throws CliError for options that exclude each other */
export function profileAsked({ profile, image, trust }: ProfileOptions, target: string): Profile | undefined {
  if (profile === 'full' && image === undefined) {
    throw usage('--profile full verifies the bytes of an image.', 'Give the observed image: --image <file>.');
  }
  if (trust !== undefined && image === undefined)
    throw usage('--trust applies to the signer of an image: give it with --image <file>.');
  if (image === '-' && target === '-')
    throw usage('Standard input is the certificate or the image, not both.');
  return profile ?? (image === undefined ? undefined : 'full');
}

/** A certificate and its source. */
export interface FoundCertificate {
  readonly document: unknown;
  /** Absent: nobody has said where it was seen. */
  readonly pageUrl?: string | undefined;
  readonly subject: string;
  /** Warnings of the page it was found on, if redirects led to another page than the requested one. */
  readonly landing?: readonly string[];
}

/** Verifies a certificate by a profile and reports the result. */
export async function reportProfile(
  session: Session,
  profile: Profile,
  found: FoundCertificate,
  options: ProfileOptions,
  trust: Trust,
): Promise<void> {
  const { document, pageUrl, subject, landing = [] } = found;
  const judged = await verifyFoundByProfile({
    document,
    profile,
    pageUrl,
    productId: options.productId?.toLowerCase(),
    ...(await imageOf(session, options)),
    trust,
    now: session.io.now(),
  });
  const outcome = { ...judged, warnings: [...landing, ...judged.warnings] };
  const { status, ...rest } = outcome;
  const elsewhere = status === 'trusted' && landing.length > 0 && options.followHost !== true;
  session.print(
    options,
    { profile, status, ...(pageUrl === undefined ? {} : { page: pageUrl }), ...rest },
    () => profileText({ subject, pageUrl, profile, outcome, elsewhere }, session.paint),
  );
  session.exitCode = elsewhere ? EXIT.cannotTell : EXIT_OF_PROFILE[status];
}

/** The image that the visitor sees, if it is available. */
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

/** The certificate of a page that a profile can judge; `null` if the page's verdict says everything. */
export function certificateOn({
  observation: { url, finalUrl: pageUrl },
  judgement,
}: CheckedPage): FoundCertificate | null {
  const { decidedBy, warnings } = judgement;
  if (decidedBy?.kind !== 'checked') return null;
  const document = decidedBy.node;
  if (!isAboutAnotherPage(judgement)) return { document, pageUrl, subject: url };
  return { document, pageUrl, subject: pageUrl, landing: warnings.slice(0, 1) };
}
