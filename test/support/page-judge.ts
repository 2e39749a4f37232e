import { createTrust, type Jwks } from '@touchstone/certificate';
import { judgePage, type Observation, observePage, withoutRegistry } from '@touchstone/page';

const DAY = 86_400_000;

/** What was found on a page, and until when that cannot have changed by itself. */
interface Seen {
  readonly html: string;
  readonly observation: Observation;
  readonly jwks: Jwks;
  readonly verdict: string;
  readonly goodUntil: number;
}

/** A page as it was answered at a moment, and the keys that were published then. */
export interface PageAtTime {
  readonly url: string;
  readonly html: string;
  /** The same object for as long as they are the same. */
  readonly jwks: Jwks;
  readonly now: Date;
}

/**
 * The verdict on a page by the SDK, without the service. The same page, under the same keys, is judged anew after a day and
 * when the proof on it ends: what verified it before comes to nothing else in between.
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
