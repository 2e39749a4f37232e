import { ServiceError } from '../../platform/errors.ts';
import type { ChainSetting } from './chain-setting.ts';
import type { TokenClaim, TokenEvidence } from './evidence.ts';
import { ChainTooSlow, readEvidence } from './read-evidence.ts';

/** The chains whose tokens can be recorded. */
export interface Chains {
  /** Confirmations that a transaction needs: blocks from its own to the latest. */
  readonly confirmations: number;
  readonly known: readonly ChainSetting[];
  /** @throws ServiceError `chain_unavailable` */
  read(chain: ChainSetting, claim: TokenClaim): Promise<TokenEvidence>;
}

/** Milliseconds for all calls that read one token. */
const TIME_LIMIT = 20_000;

export function openChains(
  known: readonly ChainSetting[],
  confirmations: number,
  limit: number = TIME_LIMIT,
): Chains {
  return {
    known,
    confirmations,
    async read(chain, claim) {
      try {
        return await readEvidence(chain, claim, limit);
      } catch (cause) {
        const late = `The chain did not answer within ${limit / 1000} seconds. Nothing was recorded: try again.`;
        const message = cause instanceof ChainTooSlow ? { message: late } : {};
        throw new ServiceError('chain_unavailable', { cause, retryAfter: 30, ...message });
      }
    },
  };
}
