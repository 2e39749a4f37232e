import type { ErrorCode } from '@touchstone/contract';

/** A token that, as its merchant claims, records the hash of an image, and the transaction that minted it. */
export interface TokenClaim {
  /** Lower case. */
  readonly contract: `0x${string}`;
  readonly tokenId: bigint;
  /** Lower case. */
  readonly transactionHash: `0x${string}`;
}

/** What a chain has recorded about a claimed token. */
export interface TokenEvidence {
  /** `null`: the chain has no such transaction. */
  readonly transaction: null | {
    readonly status: 'success' | 'reverted' | 'pending';
    /** Lower case; `null`: it created a contract. */
    readonly to: string | null;
    /** Number of blocks from its own to the latest; 0 while it is pending. */
    readonly confirmations: number;
  };
  /** SHA-256 hashes, hex, recorded for the token: in events of the transaction, else in the data of the contract. */
  readonly recorded: readonly string[];
  /** The token that the transaction minted; `null`: it did not mint this token. */
  readonly token: null | MintedToken;
}

/** A token in its present state. */
export interface MintedToken {
  readonly standard: 'ERC-721' | 'ERC-1155';
  /** Lower case; `null`: the contract names none. For ERC-1155: the first holder, if they still have it. */
  readonly owner: string | null;
  readonly uri?: string;
}

/** Why a token is refused: a code, and the expected and actual values. */
export interface Refusal {
  readonly code: Extract<ErrorCode, `nft_${string}`>;
  readonly expected?: string;
  readonly actual?: string;
}

/** @returns `null` if the evidence proves that the token records the hash of the image */
export function judgeToken(
  evidence: TokenEvidence,
  claim: TokenClaim,
  wanted: { readonly uhash: string; readonly confirmations: number },
): Refusal | null {
  const { transaction, recorded, token } = evidence;
  if (transaction === null) return { code: 'nft_transaction_unknown', actual: claim.transactionHash };
  if (transaction.status === 'reverted') return { code: 'nft_transaction_failed' };
  if (transaction.to !== claim.contract) {
    return {
      code: 'nft_contract_differs',
      expected: claim.contract,
      actual: transaction.to ?? 'a new contract',
    };
  }
  if (transaction.status === 'success' && !recorded.includes(wanted.uhash)) {
    const [first] = recorded;
    if (first === undefined) return { code: 'nft_token_unrecorded', expected: wanted.uhash };
    return { code: 'nft_image_differs', expected: wanted.uhash, actual: first };
  }
  if (transaction.status === 'success' && token === null) return { code: 'nft_not_minted' };
  if (token !== null && token.owner === null) return { code: 'nft_owner_unknown' };
  if (transaction.confirmations < wanted.confirmations) {
    const [expected, actual] = [`${wanted.confirmations}`, `${transaction.confirmations}`];
    return { code: 'nft_unconfirmed', expected, actual };
  }
  return null;
}
