import { conclude, isAboutAnotherPage, type Trust } from '@touchstone/certificate';
import type { Profile } from '@touchstone/certificate/verify';
import type { CheckedPage } from '@touchstone/page';
import { EXIT, EXIT_OF_PROFILE, usage } from '../cli-error.ts';
import { nameOf, readInput } from '../files.ts';
import { inspectImage } from '../image/inspect-image.ts';
import { profileText } from '../output/profile.ts';
import type { Session } from '../session.ts';
import type { GlobalOptions } from '../settings.ts';
import type { TellLog } from '../verify/log.ts';
import { type ProfileRequest, verifyFoundByProfile } from '../verify/profile.ts';
import { type ConcludedReport, exitOf, type RelianceOptions } from '../verify/reliance.ts';
import type { TellWithdrawal } from '../verify/withdrawal.ts';

export interface ProfileOptions extends GlobalOptions, RelianceOptions {
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
  /** The report on the page that it was found on, if it was. */
  readonly report?: ConcludedReport;
}

/** Verifies a certificate by a profile and reports the result. */
export async function reportProfile(
  session: Session,
  profile: Profile,
  found: FoundCertificate,
  options: ProfileOptions,
  verifying: {
    readonly trust: Trust;
    readonly tellWithdrawal: TellWithdrawal;
    readonly tellLog: TellLog;
  },
): Promise<void> {
  const { document, pageUrl, subject, report } = found;
  const judged = await verifyFoundByProfile({
    document,
    profile,
    pageUrl,
    productId: options.productId?.toLowerCase(),
    ...(await imageOf(session, options)),
    ...verifying,
    now: session.io.now(),
  });
  const landing = report !== undefined && isAboutAnotherPage(report) ? report.warnings.slice(0, 1) : [];
  const outcome = { ...judged, warnings: [...landing, ...judged.warnings] };
  const { status, ...rest } = outcome;
  // what a profile does not require must not fail it, but the page may still give reasons not to rely on what it trusts
  const trusted = report && asVerified(report);
  const exit = trusted === undefined ? EXIT.verified : exitOf(trusted, options);
  const isReserved = status === 'trusted' && exit !== EXIT.verified;
  const conclusion = isReserved ? trusted?.conclusion : undefined;
  session.print(
    options,
    {
      profile,
      status,
      ...(conclusion && { conclusion }),
      page: pageUrl,
      ...rest,
    },
    () => profileText({ subject, pageUrl, profile, outcome, conclusion }, session.paint),
  );
  session.exitCode = isReserved ? exit : EXIT_OF_PROFILE[status];
}

/** The report as if every check had passed, as those of the profile have. */
function asVerified(report: ConcludedReport): ConcludedReport {
  const { mc4p, agreement, ...notes } = report;
  const conclusion = conclude('verified', { ...mc4p, ...notes, agreement: agreement?.outcome });
  return { ...report, verdict: 'verified', conclusion };
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
  verdict: { decidedBy },
  report,
}: CheckedPage): FoundCertificate | null {
  if (decidedBy?.kind !== 'checked') return null;
  return { document: decidedBy.node, pageUrl, subject: isAboutAnotherPage(report) ? pageUrl : url, report };
}
