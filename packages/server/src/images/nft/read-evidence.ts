import {
  BaseError,
  ContractFunctionRevertedError,
  ContractFunctionZeroDataError,
  createPublicClient,
  http,
  type Log,
  type PublicClient,
  parseAbi,
  parseEventLogs,
  TransactionNotFoundError,
  TransactionReceiptNotFoundError,
  zeroAddress,
} from 'viem';
import type { ChainSetting } from '../../platform/settings/chain-setting.ts';
import type { TokenClaim, TokenEvidence } from './evidence.ts';

/** What a contract offers, one way or the other (docs/guides/merchant.md). */
const IMAGE_RECORD = parseAbi([
  'event ImageRecorded(uint256 indexed tokenId, bytes32 indexed uhash, bytes phash)',
  'event Transfer(address indexed from, address indexed to, uint256 indexed tokenId)',
  'function imageRecord(uint256 tokenId) view returns (bytes32 uhash, bytes phash)',
]);

/** Milliseconds until the RPC endpoint begins one answer. */
const TIMEOUT = 10_000;

/** The endpoint did not answer, or not as the chain that it should be. Its address is not in the message. */
class ChainTrouble extends Error {
  override readonly name = 'ChainTrouble';
}

/** The endpoint did not answer all that was asked in time. */
export class ChainTooSlow extends ChainTrouble {}

/**
 * Asks the chain what it knows of a token and its transaction.
 *
 * @param patience - milliseconds for all answers together, to their last byte
 * @throws ChainTrouble
 */
export async function readEvidence(
  chain: ChainSetting,
  claim: TokenClaim,
  patience: number,
): Promise<TokenEvidence> {
  const deadline = AbortSignal.timeout(patience);
  const client = createPublicClient({ transport: transportOf(chain, deadline) });
  try {
    const chainId = await client.getChainId();
    if (chainId !== chain.chainId) {
      throw new ChainTrouble(`the endpoint of ${chain.name} serves chain ${chainId}, not ${chain.chainId}`);
    }
    return await readToken(client, claim);
  } catch (error) {
    if (error instanceof ChainTrouble) throw error;
    if (deadline.aborted) throw new ChainTooSlow(`the endpoint of ${chain.name} took over ${patience} ms`);
    throw new ChainTrouble(`the endpoint of ${chain.name} failed: ${withoutAddress(error)}`);
  }
}

/** The library bounds how long an answer takes to begin, and tries twice; nothing but the deadline bounds its body. */
function transportOf({ rpcUrl }: ChainSetting, deadline: AbortSignal) {
  return http(rpcUrl, {
    timeout: TIMEOUT,
    retryCount: 1,
    fetchFn: (input, init) =>
      fetch(input, { ...init, signal: AbortSignal.any([deadline, ...(init?.signal ? [init.signal] : [])]) }),
  });
}

/** The whole message of a failed request names the endpoint's address, which may hold a secret. */
function withoutAddress(error: unknown): string {
  if (error instanceof BaseError) return `${error.name}: ${error.shortMessage}`;
  return error instanceof Error ? error.name : typeof error;
}

async function readToken(client: PublicClient, claim: TokenClaim): Promise<TokenEvidence> {
  const hash = claim.transactionHash;
  const transaction = await client.getTransaction({ hash }).catch(nothingFor(TransactionNotFoundError));
  if (transaction === null) return { transaction: null, recorded: [] };
  const to = transaction.to?.toLowerCase() ?? null;
  const receipt = await client
    .getTransactionReceipt({ hash })
    .catch(nothingFor(TransactionReceiptNotFoundError));
  if (receipt === null) return { transaction: { status: 'pending', to, confirmations: 0 }, recorded: [] };
  const newest = await client.getBlockNumber({ cacheTime: 0 });
  const confirmations = Math.max(0, Number(newest - receipt.blockNumber) + 1);
  const found = { status: receipt.status, to, confirmations };
  const logs = receipt.logs.filter(({ address }) => address.toLowerCase() === claim.contract);
  const byEvent = hashesInEvents(logs, claim.tokenId);
  const isByData = byEvent.length === 0 && isMinted(logs, claim.tokenId);
  return { transaction: found, recorded: isByData ? await hashInData(client, claim) : byEvent };
}

function nothingFor(kind: new (...args: never[]) => Error) {
  return (error: unknown): null => {
    if (error instanceof kind) return null;
    throw error;
  };
}

function hashesInEvents(logs: Log[], tokenId: bigint): string[] {
  return parseEventLogs({ abi: IMAGE_RECORD, eventName: 'ImageRecorded', logs })
    .filter(({ args }) => args.tokenId === tokenId)
    .map(({ args }) => hexOf(args.uhash));
}

/** The transaction made the token: without that, its data says nothing about this transaction. */
function isMinted(logs: Log[], tokenId: bigint): boolean {
  return parseEventLogs({ abi: IMAGE_RECORD, eventName: 'Transfer', logs }).some(
    ({ args }) => args.tokenId === tokenId && args.from === zeroAddress,
  );
}

async function hashInData(client: PublicClient, { contract, tokenId }: TokenClaim): Promise<string[]> {
  try {
    const [uhash] = await client.readContract({
      address: contract,
      abi: IMAGE_RECORD,
      functionName: 'imageRecord',
      args: [tokenId],
    });
    return /^0x0*$/.test(uhash) ? [] : [hexOf(uhash)];
  } catch (error) {
    if (error instanceof BaseError && error.walk(isAnswerWithoutData) !== null) return [];
    throw error;
  }
}

/** The contract has no such function, refuses the token, or answers in another form. */
function isAnswerWithoutData(error: unknown): boolean {
  return (
    error instanceof ContractFunctionRevertedError ||
    error instanceof ContractFunctionZeroDataError ||
    (error instanceof BaseError && error.name.startsWith('AbiDecoding'))
  );
}

function hexOf(bytes: `0x${string}`): string {
  return bytes.slice(2).toLowerCase();
}
