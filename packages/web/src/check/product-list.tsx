import type { PageReport } from '@touchstone/contract';
import { Fill, Untrusted, UntrustedLink, useTexts } from '../ui/text.tsx';

/** The certified products of a list of products, each with a link to its page, and to a check of that. */
export function ProductList({ mc4p }: Pick<PageReport, 'mc4p'>) {
  const { list: words } = useTexts().check;
  const { list = [] } = mc4p;
  if (list.length === 0) return null;
  return (
    <section aria-labelledby="list">
      <h2 id="list">{words.title}</h2>
      <ul class="product-list">
        {list.map(({ url, name, expired }) => (
          <li key={url}>
            <UntrustedLink url={url} label={name} />
            {expired === true ? <span class="small">{words.expired}</span> : null}
            <a class="small" href={`/check?url=${encodeURIComponent(url)}`}>
              <Fill text={words.check} values={{ name: <Untrusted text={name} /> }} />
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}
