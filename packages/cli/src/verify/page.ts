import { verify } from '@touchstone/certificate/verify';
import type { Observation } from '@touchstone/page';
import {
  type JudgedCandidate,
  judgeCandidates,
  type PageJudgement,
  pageVerdict,
} from '@touchstone/page/verdict';
import { cannotTell } from '../cli-error.ts';
import { EXIT_OF_VERDICT } from '../exit-codes.ts';
import { jwtOf } from './document.ts';
import type { Trust } from './trust.ts';

export interface JudgedPage {
  readonly candidates: readonly JudgedCandidate[];
  readonly judgement: PageJudgement;
}

/**
 * Judges a page as the service does, without a registry.
 *
 * @throws CliError (could not tell) when the keys of a trusted issuer cannot be had
 */
export async function judgePage(
  observation: Observation,
  {
    trust,
    now,
    productId,
  }: { readonly trust: Trust; readonly now: Date; readonly productId?: string | undefined },
): Promise<JudgedPage> {
  const candidates = await judgeCandidates(observation, {
    baseUrls: trust.issuers,
    verifyProduct: async (named, { document, pageUrl }) => {
      const keys = await trust.keysFor(jwtOf(document));
      return verify({ document, pageUrl, productId: productId?.toLowerCase() ?? named, now, ...keys });
    },
  });
  const judgement = pageVerdict(observation, candidates);
  if (!Object.hasOwn(EXIT_OF_VERDICT, judgement.verdict)) throw cannotTell('The verdict is not understood.');
  return { candidates, judgement };
}
