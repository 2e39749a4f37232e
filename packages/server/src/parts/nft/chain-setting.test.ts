import { expect, test } from 'vitest';
import { readConfig } from '../../parts.ts';
import { parseChain } from './chain-setting.ts';

test.each([
  ['local|31337=http://127.0.0.1:8545', { name: 'local', chainId: 31_337, rpcUrl: 'http://127.0.0.1:8545' }],
  [
    'base-main|8453=https://rpc.example/v2/key?a=b|https://explorer.example/',
    {
      name: 'base-main',
      chainId: 8453,
      rpcUrl: 'https://rpc.example/v2/key?a=b',
      explorerUrl: 'https://explorer.example',
    },
  ],
])('%s is a chain', (text, chain) => {
  expect(parseChain(text)).toEqual(chain);
});

test.each([
  'https://rpc.example/secret',
  '|1=https://rpc.example/secret',
  'https://rpc.example/secret|1=x',
  'Main|1=https://rpc.example/secret',
  'main|0=https://rpc.example/secret',
  'main|1e3=https://rpc.example/secret',
  'main|1=ws://rpc.example/secret',
  'main|1=https://rpc.example/secret|explorer.example',
  'main|1=https://rpc.example/secret|https://a.example|https://b.example',
])('%s is refused, without printing what may be a secret', (text) => {
  expect(() => parseChain(text)).toThrow(RangeError);
  expect(() => parseChain(text)).toThrow(/^((?!secret).)*$/);
});

test('every invalid entry is reported at start, and a duplicate name', () => {
  const start = (chains: string) => () => readConfig({ TOUCHSTONE_NFT_CHAINS: chains });
  expect(start('main|x=https://a.example,side|2=nowhere')).toThrow(
    /NFT_CHAINS.*"main"[\s\S]*NFT_CHAINS.*"side"/,
  );
  expect(start('main|1=https://a.example,main|2=https://b.example')).toThrow(/NFT_CHAINS names main twice/);
  expect(() => readConfig({ TOUCHSTONE_NFT_CONFIRMATIONS: '0' })).toThrow(/NFT_CONFIRMATIONS/);
});
