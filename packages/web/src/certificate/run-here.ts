import { CannotVerifyError, type ProofKind } from '@touchstone/certificate';
import type { ProfileVerification } from '@touchstone/certificate/verify';
import { judgeDocument } from '../verify/judge.ts';
import { fetchOwnKeys, type OwnKeys } from '../verify/own-keys.ts';
import { ownStatusLists } from '../verify/own-lists.ts';
import { ownLog } from '../verify/own-log.ts';
import { trustIn } from '../verify/trust.ts';

/** Result of the verification; a code if there is no verdict. */
type Outcome =
  | { readonly kind: 'done'; readonly keys: OwnKeys; readonly result: ProfileVerification }
  | { readonly kind: 'failed'; readonly code: string };

/** Verifies a document with the keys of this origin, without comparing it with a page. */
export async function verifyHere(document: object, certificate: ProofKind, issuer: string): Promise<Outcome> {
  try {
    if (globalThis.crypto?.subtle === undefined) return { kind: 'failed', code: 'insecure_page' };
    const keys = await fetchOwnKeys();
    const trust = trustIn([{ issuers: [issuer], jwks: keys.jwks, fetchedAt: keys.at }]);
    const question = { document, certificate, place: {} };
    const { profiles } = await judgeDocument(question, {
      trust,
      now: new Date(),
      lists: ownStatusLists([issuer]),
      lookAtLog: ownLog(),
    });
    return { kind: 'done', keys, result: profiles };
  } catch (error) {
    return { kind: 'failed', code: error instanceof CannotVerifyError ? error.code : String(error) };
  }
}
