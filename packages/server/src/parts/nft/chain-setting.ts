import { secretAddressFault } from '../../platform/settings/setting-types.ts';

/** A blockchain whose tokens may be recorded (setting `NFT_CHAINS`). */
export interface ChainSetting {
  /** The operator's name for it, also used by merchants and in certificates. */
  readonly name: string;
  /** EIP-155. */
  readonly chainId: number;
  /** Address of the JSON-RPC endpoint, https (http on this machine); may contain a secret. */
  readonly rpcUrl: string;
  /** Address of a block explorer: `<explorerUrl>/tx/<hash>` shows a transaction. Without a slash at the end. */
  readonly explorerUrl?: string;
}

const FORM = 'name|chainId=rpcUrl or name|chainId=rpcUrl|explorerUrl';

/**
 * Reads one entry of the setting.
 *
 * @throws RangeError saying what is wrong, without the URL, which may contain a secret
 */
export function parseChain(text: string): ChainSetting {
  const [, name = '', id = '', addresses = ''] = /^([^|=]*)\|([^|=]*)=(.*)$/.exec(text) ?? [];
  if (name === '') throw new RangeError(`an entry does not have the form ${FORM}`);
  if (!/^[a-z0-9][a-z0-9-]{0,39}$/.test(name)) {
    throw new RangeError('the name of a chain consists of lower-case letters, digits and hyphens');
  }
  const chainId = /^\d{1,15}$/.test(id) ? Number(id) : 0;
  if (chainId < 1) throw new RangeError(`the chain id of "${name}" is not a whole number above 0`);
  const [rpcUrl = '', explorerUrl, ...more] = addresses.split('|');
  if (!isWebUrl(rpcUrl)) throw new RangeError(`the RPC address of "${name}" is not an http or https URL`);
  const fault = secretAddressFault(new URL(rpcUrl));
  if (fault !== undefined) throw new RangeError(`the RPC address of "${name}" ${fault}`);
  if (explorerUrl === undefined) return { name, chainId, rpcUrl };
  if (more.length > 0 || !isWebUrl(explorerUrl)) {
    throw new RangeError(`the explorer address of "${name}" is not an http or https URL`);
  }
  return { name, chainId, rpcUrl, explorerUrl: explorerUrl.replace(/\/+$/, '') };
}

function isWebUrl(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}
