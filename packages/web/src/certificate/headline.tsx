import type { Tone } from '../report/tones.ts';
import { VerdictMark } from '../report/verdict.tsx';
import { Day, Fill, Untrusted, useTexts } from '../ui/text.tsx';
import { type ClaimedProof, claimedControl } from './read-proof.ts';

/** What is known about a certificate before its proof is verified: whether it has one, and its dates. */
type CertificateState = 'current' | 'past' | 'ahead' | 'identity';

/** A certificate by itself says nothing about where it is seen: none is `good`. */
const TONES: Readonly<Record<CertificateState, Tone>> = {
  current: 'neutral',
  past: 'caution',
  ahead: 'caution',
  identity: 'neutral',
};

/** Tolerated delay of the device's clock in milliseconds, the same as the verifier's. */
const BEHIND = 300_000;

export function stateOf(proof: ClaimedProof | null, now: number): CertificateState {
  if (proof?.issuedAt === undefined || proof.expiresAt === undefined) return 'identity';
  if (now >= proof.expiresAt) return 'past';
  return now + BEHIND < proof.issuedAt ? 'ahead' : 'current';
}

interface HeadlineProps {
  readonly state: CertificateState;
  /** Name of the kind of certificate. */
  readonly kind: string;
  readonly title: string;
  readonly domain: string | undefined;
  readonly proof: ClaimedProof | null;
}

/** Title, site and present validity of the certificate; one without a proof was issued for no site. */
export function Headline({ state, kind, title, domain, proof }: HeadlineProps) {
  const { certificate: words } = useTexts();
  const { title: stateTitle, text } = words.states[state];
  const control = proof === null ? undefined : claimedControl(proof);
  const tone = control?.isProven === false ? 'caution' : TONES[state];
  return (
    <header class="certificate-head" data-tone={tone}>
      <p class="kind">{kind}</p>
      <h1>
        <Untrusted text={title} />
      </h1>
      {domain === undefined || state === 'identity' ? null : (
        <p class="lead">
          <IssuedFor domain={domain} control={control} />
        </p>
      )}
      <div class="certificate-state">
        <VerdictMark tone={tone} />
        <div>
          <p>
            <strong>{stateTitle}</strong>
          </p>
          <p>{text}</p>
          {state === 'identity' ? null : <p class="small">{words.claimed}</p>}
        </div>
      </div>
    </header>
  );
}

/** The site, and whether anybody had shown that they run it. */
function IssuedFor({ domain, control }: { domain: string; control: ReturnType<typeof claimedControl> }) {
  const { issuedFor } = useTexts().certificate;
  const site = (
    <strong>
      <Untrusted text={domain} />
    </strong>
  );
  if (control === undefined) return <Fill text={issuedFor.unknown} values={{ site }} />;
  if (!control.isProven) return <Fill text={issuedFor.unproven} values={{ site }} />;
  const date = control.at === undefined ? '' : <Day at={control.at} />;
  return <Fill text={issuedFor.proven} values={{ site, date }} />;
}
