import { nftPart as contract } from '@touchstone/contract';
import type { Part } from '../../core/part.ts';
import { settingsIn } from '../../platform/settings/config.ts';
import { integer, list, parsed } from '../../platform/settings/setting-types.ts';
import { parseChain } from './chain-setting.ts';

const SETTINGS = {
  NFT_CHAINS: list(parsed(parseChain))
    .superRefine((entries, context) => {
      const names = entries.map(({ name }) => name);
      const twice = names.filter((name, index) => names.indexOf(name) !== index);
      if (twice.length > 0) context.addIssue(`names ${twice.join(', ')} twice`);
    })
    .default([])
    .describe(
      'name|chainId=rpcUrl|explorerUrl,…: chains on which tokens of images may be recorded; the explorer is optional, the endpoint needs https except on this machine.',
    )
    .meta({ secret: true }),
  NFT_CONFIRMATIONS: integer(1, 100_000)
    .default(12)
    .describe("Confirmations that a token's transaction needs, its own block included."),
};

/** Records tokens of images, if their chain proves them. */
export const nftPart: Part = {
  ...contract,
  hasTables: true,
  settings: SETTINGS,
  async open({ config, registry }) {
    const { NFT_CHAINS, NFT_CONFIRMATIONS } = settingsIn(SETTINGS, config);
    const [{ nftRoutes }, { openChains }] = await Promise.all([
      import('./routes.ts'),
      import('./open-chains.ts'),
    ]);
    return { routes: nftRoutes(registry, openChains(NFT_CHAINS, NFT_CONFIRMATIONS)) };
  },
};
