import { createPageFetcher } from '@touchstone/page/fetch';
import { expect, it } from 'vitest';
import { domainProofPorts } from './proof-ports.ts';

it('a merchant whose host cannot be reached is told why in a whole sentence', async () => {
  const fetcher = createPageFetcher({ userAgent: 'Touchstone', content: 'any' });
  const { fetchText } = domainProofPorts(fetcher);
  const failure = async (url: string) => {
    const answer = await fetchText(url);
    return 'failed' in answer ? answer.note : answer;
  };
  expect(await failure('https://shop.invalid/')).toBe(
    'host_unknown: The host name does not exist or has no address.',
  );
  expect(await failure('http://127.0.0.1/')).toBe(
    'address_blocked: The address leads to a host that is not on the public internet.',
  );
});
