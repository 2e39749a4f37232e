import { createTrust, type Jwks } from '@touchstone/certificate';
import { judgePage, type Observation, observePage, withoutRegistry } from '@touchstone/page';

const DAY = 86_400_000;

/** The verdict on a page, and until when it cannot change by itself. */
interface Seen {
  readonly html: string;
  readonly observation: Observation;
  readonly jwks: Jwks;
  readonly verdict: string;
  readonly goodUntil: number;
}

/** A page as served at a time, and the keys published then. */
export interface PageAtTime {
  readonly url: string;
  readonly html: string;
  /** The same object while they are unchanged. */
  readonly jwks: Jwks;
  readonly now: Date;
}

/**
 * The SDK's verdict on a page, without the service. The same page with the same keys is verified again after a day and when its proof
 * expires: in between, the verdict cannot change.
 */
export function createPageJudge(issuer: string): (page: PageAtTime) => Promise<string> {
  const seen = new Map<string, Seen>();
  return async ({ url, html, jwks, now }) => {
    const known = seen.get(url);
    const isSame = known?.html === html;
    if (isSame && known.jwks === jwks && now.getTime() < known.goodUntil) return known.verdict;
    const options = withoutRegistry(createTrust({ trustedIssuers: [issuer], jwks }), now);
    const observation = isSame
      ? known.observation
      : await observePage(url, {
          ...options,
          fetch: async (finalUrl) => ({ kind: 'page', finalUrl, status: 200, body: html }),
        });
    const { verdict, mc4p } = (await judgePage(observation, options)).report;
    const end = mc4p.present ? Date.parse(mc4p.signed?.expiresAt ?? '') : Number.NaN;
    const goodUntil = verdict === 'verified' ? Math.min(end, now.getTime() + DAY) : 0;
    seen.set(url, { html, observation, jwks, verdict, goodUntil });
    return verdict;
  };
}
