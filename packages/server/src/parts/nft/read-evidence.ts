import { z } from 'zod';
import type { ChainSetting } from './chain-setting.ts';
import { type Ask, callContract, hex, word } from './contract-call.ts';
import type { TokenClaim, TokenEvidence } from './evidence.ts';
import { ChainFailure, callChain } from './json-rpc.ts';
import { askForToken, mintAmong } from './minted-token.ts';

// The two ways in which a contract may record a hash (docs/merchants.md): Keccak-256 of the ABI signatures.
/** `ImageRecorded(uint256,bytes32,bytes)`, token and hash indexed. */
const IMAGE_RECORDED = '0xc1afe1f00973a4eb41b00285a2452e09946f03642e30bcbfa50c5aeb30a49f33';
/** `imageRecord(uint256) returns (bytes32 uhash, bytes phash)`. */
const IMAGE_RECORD = '0x7fdf6c0b';

const quantity = hex.transform((text) => BigInt(text));
const transactionSchema = z.object({ to: hex.nullish() }).nullable();
const receiptSchema = z
  .object({
    status: quantity,
    blockNumber: quantity,
    logs: z.array(z.object({ address: hex, topics: z.array(hex), data: hex.default('0x') })),
  })
  .nullable();

type Log = NonNullable<z.infer<typeof receiptSchema>>['logs'][number];

/**
 * Queries a chain for a token and its transaction.
 *
 * @param limit - milliseconds for all answers together, including their bodies
 * @throws ChainFailure
 */
export async function readEvidence(
  chain: ChainSetting,
  claim: TokenClaim,
  limit: number,
): Promise<TokenEvidence> {
  const deadline = AbortSignal.timeout(limit);
  const ask: Ask = async (schema, method, ...params) => {
    const answer = schema.safeParse(await callChain(chain, method, params, deadline));
    if (answer.success) return answer.data;
    throw new ChainFailure(`the endpoint of ${chain.name} answered ${method} in another form`);
  };
  try {
    const chainId = Number(await ask(quantity, 'eth_chainId'));
    if (chainId === chain.chainId) return await readToken(ask, claim);
    throw new ChainFailure(`the endpoint of ${chain.name} serves chain ${chainId}, not ${chain.chainId}`);
  } catch (error) {
    if (deadline.aborted) throw new ChainTooSlow(`the endpoint of ${chain.name} took over ${limit} ms`);
    throw error;
  }
}

/** The endpoint did not answer all calls in time. */
export class ChainTooSlow extends ChainFailure {}

async function readToken(ask: Ask, claim: TokenClaim): Promise<TokenEvidence> {
  const hash = claim.transactionHash;
  const transaction = await ask(transactionSchema, 'eth_getTransactionByHash', hash);
  if (transaction === null) return { transaction: null, ...NOTHING };
  const to = transaction.to ?? null;
  const receipt = await ask(receiptSchema, 'eth_getTransactionReceipt', hash);
  if (receipt === null) return { transaction: { status: 'pending', to, confirmations: 0 }, ...NOTHING };
  const newest = await ask(quantity, 'eth_blockNumber');
  const found = {
    status: receipt.status === 1n ? 'success' : 'reverted',
    to,
    confirmations: Math.max(0, Number(newest - receipt.blockNumber) + 1),
  } as const;
  const logs = receipt.logs.filter(({ address }) => address === claim.contract);
  const byEvent = logs.flatMap((log) => recordedHash(log, claim.tokenId));
  const mint = mintAmong(logs, claim.tokenId);
  const isByData = byEvent.length === 0 && mint !== null;
  return {
    transaction: found,
    recorded: isByData ? await hashInData(ask, claim) : byEvent,
    token: mint === null ? null : await askForToken(ask, claim, mint),
  };
}

const NOTHING = { recorded: [], token: null } as const;

function recordedHash({ topics }: Log, tokenId: bigint): string[] {
  const [event, token, uhash] = topics;
  const isOurs = event === IMAGE_RECORDED && token === word(tokenId) && topics.length === 3;
  return isOurs && uhash !== undefined ? [uhash.slice(2)] : [];
}

/** Empty if the contract has no such function, reverts, or returns something else. */
async function hashInData(ask: Ask, { contract, tokenId }: TokenClaim): Promise<string[]> {
  const data = await callContract(ask, contract, IMAGE_RECORD + word(tokenId).slice(2));
  // bytes32, the offset of `bytes` (two words), its length, and its bytes padded to words
  const [, uhash = '', length = ''] =
    /^0x([0-9a-f]{64})0{62}40([0-9a-f]{64})(?:[0-9a-f]{64})*$/.exec(data ?? '') ?? [];
  const isWhole = (data ?? '').length >= 2 + 3 * 64 + 2 * Number(`0x${length}`);
  return isWhole && !/^0*$/.test(uhash) ? [uhash] : [];
}
