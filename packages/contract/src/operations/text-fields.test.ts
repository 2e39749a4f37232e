import { expect, it } from 'vitest';
import { siteUrl } from './text-fields.ts';

const faultsOf = (url: string) =>
  siteUrl()
    .safeParse(url)
    .error?.issues.map((issue) => issue.message) ?? [];

it('reports each fault of a URL once, and nothing else', () => {
  expect(faultsOf('https://shop.example/')).toEqual([]);
  expect(faultsOf('ftp://shop.example/')).toEqual(['Input should be an absolute http or https URL']);
  expect(faultsOf('nothing')).toEqual(['Input should be an absolute http or https URL']);
  for (const host of ['127.0.0.1', '[::1]', 'shop..example', 'shop.example..', '.'])
    expect(faultsOf(`http://${host}/`)).toEqual([
      'The URL must have a hostname: an IP address cannot be a domain',
    ]);
});
