import { type Ask, callContract, word } from './contract-call.ts';
import type { MintedToken, TokenClaim } from './evidence.ts';

/*
 * The interfaces of ERC-721 and ERC-1155: events by the Keccak-256 of their signatures, functions by its first four bytes.
 */
/** ERC-721 `Transfer(address,address,uint256)`, all three indexed. */
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
/** ERC-1155 `TransferSingle(address,address,address,uint256,uint256)`: operator, from and to indexed. */
const TRANSFER_SINGLE = '0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62';
/** ERC-1155 `TransferBatch(address,address,address,uint256[],uint256[])`, indexed likewise. */
const TRANSFER_BATCH = '0x4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb';
const OWNER_OF = '0x6352211e';
const TOKEN_URI = '0xc87b56dd';
const BALANCE_OF = '0x00fdd58e';
const URI = '0x0e89341c';
/** Characters; a longer token URI is left out. */
const MAX_URI = 2_000;

/** An event of the contract. */
export interface ContractLog {
  readonly topics: readonly string[];
  readonly data: string;
}

/** The recipient of a minted token, and its standard. */
export interface Mint {
  readonly standard: MintedToken['standard'];
  /** The recipient, as a word of the ABI. */
  readonly to: string;
}

/** The transfer of the token from the zero address; `null`: there is none. */
export function mintAmong(logs: readonly ContractLog[], tokenId: bigint): Mint | null {
  const token = word(tokenId);
  for (const { topics, data } of logs) {
    const [event, first, second, third = ''] = topics;
    if (event === TRANSFER && first === word(0n) && third === token && second !== undefined)
      return { standard: 'ERC-721', to: second };
    const isMulti = event === TRANSFER_SINGLE || event === TRANSFER_BATCH;
    if (!isMulti || second !== word(0n)) continue;
    if (tokensOf(event, wordsOf(data)).includes(token.slice(2))) return { standard: 'ERC-1155', to: third };
  }
  return null;
}

function wordsOf(data: string): readonly string[] {
  return data.slice(2).match(/.{64}/g) ?? [];
}

/** Of a batch: two offsets in bytes, then each array as its length and its values. */
function tokensOf(event: string, words: readonly string[]): readonly string[] {
  if (event === TRANSFER_SINGLE) return words.slice(0, 1);
  const begin = Number(`0x${words[0] ?? '0'}`) / 32;
  const length = Number(`0x${words[begin] ?? '0'}`);
  return words.slice(begin + 1, begin + 1 + length);
}

/** Queries the contract for the present state of the token. */
export async function askForToken(ask: Ask, claim: TokenClaim, { standard, to }: Mint): Promise<MintedToken> {
  const { contract, tokenId } = claim;
  const token = word(tokenId).slice(2);
  const isSingle = standard === 'ERC-721';
  const owner = isSingle
    ? addressIn(await callContract(ask, contract, OWNER_OF + token))
    : await holder(ask, contract, to, token);
  const uri = textIn(await callContract(ask, contract, (isSingle ? TOKEN_URI : URI) + token));
  return { standard, owner, ...(uri === null ? {} : { uri }) };
}

async function holder(ask: Ask, contract: string, to: string, token: string): Promise<string | null> {
  const balance = await callContract(ask, contract, BALANCE_OF + to.slice(2) + token);
  return balance !== null && /^0x[0-9a-f]{64}$/.test(balance) && !/^0x0*$/.test(balance)
    ? addressIn(to)
    : null;
}

function addressIn(answer: string | null): string | null {
  const [, address = ''] = /^0x0{24}([0-9a-f]{40})$/.exec(answer ?? '') ?? [];
  return /^0*$/.test(address) ? null : `0x${address}`;
}

/** A `string` of the ABI: its offset, its length in bytes, and the bytes. */
function textIn(answer: string | null): string | null {
  const [offset, length, ...rest] = wordsOf(answer ?? '0x');
  if (offset === undefined || BigInt(`0x${offset}`) !== 32n || length === undefined) return null;
  const bytes = BigInt(`0x${length}`);
  if (bytes === 0n || bytes > BigInt(MAX_URI * 4)) return null;
  const text = Buffer.from(rest.join(''), 'hex').subarray(0, Number(bytes)).toString('utf8');
  const isPlain = text.length <= MAX_URI && !/[\p{Cc}\p{Cf}\ufffd]/u.test(text);
  return isPlain ? text : null;
}
