import { createPageFetcher, FetchFault } from '@touchstone/fetch';
import { expect, it } from 'vitest';
import { domainProofPorts } from './proof-ports.ts';

it('reports why a host cannot be reached with the code of a page fetch', async () => {
  const fetcher = createPageFetcher({ userAgent: 'Touchstone', content: 'any' });
  const { fetchText } = domainProofPorts(fetcher);
  const failure = async (url: string) => {
    const answer = await fetchText(url, new AbortController().signal);
    return 'failed' in answer ? answer.code : answer;
  };
  expect(await failure('https://shop.invalid/')).toBe('host_unknown');
  expect(await failure('http://127.0.0.1/')).toBe('address_blocked');
});

it('throws for failures of our own network, which say nothing about the host', async () => {
  const resolver = {
    resolve: async () => {
      throw new FetchFault('no name server answers');
    },
  };
  const fetcher = createPageFetcher({ userAgent: 'Touchstone', content: 'any', resolver });
  await expect(
    domainProofPorts(fetcher).fetchText('https://shop.example/', new AbortController().signal),
  ).rejects.toMatchObject({ code: 'network_unavailable' });
});
