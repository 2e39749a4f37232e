import { z } from 'zod';
import type { ChainSetting } from '../../platform/settings/chain-setting.ts';
import type { TokenClaim, TokenEvidence } from './evidence.ts';
import { ChainFailure, callChain, RpcRefusal } from './json-rpc.ts';

// What a contract offers, one way or the other (docs/guides/merchant.md): Keccak-256 of the signatures, as the ABI names them.
/** `ImageRecorded(uint256,bytes32,bytes)`, token and hash indexed. */
const IMAGE_RECORDED = '0xc1afe1f00973a4eb41b00285a2452e09946f03642e30bcbfa50c5aeb30a49f33';
/** `Transfer(address,address,uint256)` of ERC-721, all three indexed. */
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
/** `imageRecord(uint256) returns (bytes32 uhash, bytes phash)`. */
const IMAGE_RECORD = '0x7fdf6c0b';

const hex = z
  .string()
  .regex(/^0x[0-9a-f]*$/i)
  .toLowerCase();
const quantity = hex.transform((text) => BigInt(text));
const transactionSchema = z.object({ to: hex.nullish() }).nullable();
const receiptSchema = z
  .object({
    status: quantity,
    blockNumber: quantity,
    logs: z.array(z.object({ address: hex, topics: z.array(hex) })),
  })
  .nullable();

type Log = NonNullable<z.infer<typeof receiptSchema>>['logs'][number];
type Ask = <T>(schema: z.ZodType<T>, method: string, ...params: readonly unknown[]) => Promise<T>;

/**
 * Asks the chain what it knows of a token and its transaction.
 *
 * @param limit - milliseconds for all answers together, to their last byte
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

/** The endpoint did not answer all that was asked in time. */
export class ChainTooSlow extends ChainFailure {}

async function readToken(ask: Ask, claim: TokenClaim): Promise<TokenEvidence> {
  const hash = claim.transactionHash;
  const transaction = await ask(transactionSchema, 'eth_getTransactionByHash', hash);
  if (transaction === null) return { transaction: null, recorded: [] };
  const to = transaction.to ?? null;
  const receipt = await ask(receiptSchema, 'eth_getTransactionReceipt', hash);
  if (receipt === null) return { transaction: { status: 'pending', to, confirmations: 0 }, recorded: [] };
  const newest = await ask(quantity, 'eth_blockNumber');
  const found = {
    status: receipt.status === 1n ? 'success' : 'reverted',
    to,
    confirmations: Math.max(0, Number(newest - receipt.blockNumber) + 1),
  } as const;
  const logs = receipt.logs.filter(({ address }) => address === claim.contract);
  const byEvent = logs.flatMap((log) => recordedHash(log, claim.tokenId));
  const isByData = byEvent.length === 0 && logs.some((log) => isMint(log, claim.tokenId));
  return { transaction: found, recorded: isByData ? await hashInData(ask, claim) : byEvent };
}

function recordedHash({ topics }: Log, tokenId: bigint): string[] {
  const [event, token, uhash] = topics;
  const isOurs = event === IMAGE_RECORDED && token === word(tokenId) && topics.length === 3;
  return isOurs && uhash !== undefined ? [uhash.slice(2)] : [];
}

/** The transaction made the token: without that, its data says nothing about this transaction. */
function isMint({ topics }: Log, tokenId: bigint): boolean {
  const [event, from, , token] = topics;
  return event === TRANSFER && from === word(0n) && token === word(tokenId);
}

/** Empty where the contract has no such function, refuses the token, or answers in another form. */
async function hashInData(ask: Ask, { contract, tokenId }: TokenClaim): Promise<string[]> {
  const call = { to: contract, data: IMAGE_RECORD + word(tokenId).slice(2) };
  try {
    const data = await ask(hex, 'eth_call', call, 'latest');
    // bytes32, where `bytes` begins (after two words), its length, and as many bytes padded to words
    const [, uhash = '', length = ''] =
      /^0x([0-9a-f]{64})0{62}40([0-9a-f]{64})(?:[0-9a-f]{64})*$/.exec(data) ?? [];
    const isWhole = data.length >= 2 + 3 * 64 + 2 * Number(`0x${length}`);
    return isWhole && !/^0*$/.test(uhash) ? [uhash] : [];
  } catch (error) {
    if (error instanceof RpcRefusal && error.isRevert) return [];
    throw error;
  }
}

/** A number as the 32 bytes of the ABI. */
function word(value: bigint): string {
  return `0x${value.toString(16).padStart(64, '0')}`;
}
