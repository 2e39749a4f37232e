import type { ErrorCode } from '@touchstone/contract';

/** A token that a merchant says to carry the hash of an image, and the transaction that made it. */
export interface TokenClaim {
  /** Lower case. */
  readonly contract: `0x${string}`;
  readonly tokenId: bigint;
  /** Lower case. */
  readonly transactionHash: `0x${string}`;
}

/** What a chain says of it, as plain data. */
export interface TokenEvidence {
  /** `null`: the chain knows no such transaction. */
  readonly transaction: null | {
    readonly status: 'success' | 'reverted' | 'pending';
    /** Lower case; `null`: it made a contract. */
    readonly to: string | null;
    /** Blocks from its own on, itself included; 0 while it is pending. */
    readonly confirmations: number;
  };
  /** SHA-256 hashes, hex, that the contract has recorded for the token: by event, else by the token's data. */
  readonly recorded: readonly string[];
  /** The token that the transaction minted; `null`: it minted no such token. */
  readonly token: null | MintedToken;
}

/** A token as its contract answers for it now. */
export interface MintedToken {
  readonly standard: 'ERC-721' | 'ERC-1155';
  /** Lower case; `null`: the contract names none. Of ERC-1155: whom it was minted to, if they still have it. */
  readonly owner: string | null;
  readonly uri?: string;
}

/** Why a token is not recorded: a code, and what was expected and found. */
export interface Refusal {
  readonly code: Extract<ErrorCode, `nft_${string}`>;
  readonly expected?: string;
  readonly actual?: string;
}

/** Whether the evidence shows a token that carries the hash of the image; `null`: it does. */
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
