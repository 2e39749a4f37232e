import type { Tone } from '../report/conclusion-texts.tsx';
import { VerdictMark } from '../report/verdict.tsx';
import { Fill, Untrusted, useTexts } from '../ui/text.tsx';
import type { ClaimedProof } from './read-proof.ts';

/** What is known about a certificate before its proof is verified: whether it has one, and its dates. */
export type CertificateState = 'current' | 'past' | 'ahead' | 'identity';

const TONES: Readonly<Record<CertificateState, Tone>> = {
  current: 'good',
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
}

/** Title, site and present validity of the certificate; one without a proof was issued for no site. */
export function Headline({ state, kind, title, domain }: HeadlineProps) {
  const { certificate: words } = useTexts();
  const { title: stateTitle, text } = words.states[state];
  return (
    <header class="certificate-head" data-tone={TONES[state]}>
      <p class="kind">{kind}</p>
      <h1>
        <Untrusted text={title} />
      </h1>
      {domain === undefined || state === 'identity' ? null : (
        <p class="lead">
          <Fill
            text={words.issuedFor}
            values={{
              site: (
                <strong>
                  <Untrusted text={domain} />
                </strong>
              ),
            }}
          />
        </p>
      )}
      <div class="certificate-state">
        <VerdictMark tone={TONES[state]} />
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
