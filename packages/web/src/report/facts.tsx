import type { PageReport } from '@touchstone/contract';
import { Fill, localeOf, Untrusted, useSetting } from '../ui/text.tsx';
import { Term } from './signed.tsx';

type PageFacts = PageReport['facts'];
type Fact = NonNullable<PageFacts['name']>;
type Range = NonNullable<PageFacts['offers']>;

/** The facts that a page states, each with its source; none of them is signed. */
export function Facts({ facts }: { facts: PageFacts }) {
  const { language, texts } = useSetting();
  const { facts: words } = texts.report;
  const {
    name,
    price,
    currency,
    availability,
    sku,
    brand,
    description,
    variant = null,
    offers = null,
  } = facts;
  const rows: readonly (readonly [string, Fact | null, string | undefined])[] = [
    [words.name, name, undefined],
    [words.price, price, price === null ? undefined : money(price.value, currency?.value, language)],
    [words.offers, offers, offers === null ? undefined : range(offers, currency?.value, language)],
    [words.variant, variant, undefined],
    [words.availability, availability, availabilityIn(words.availabilities, availability?.value)],
    [words.brand, brand, undefined],
    [words.sku, sku, undefined],
    [words.description, description, undefined],
  ];
  const stated = rows.filter(([, fact]) => fact !== null);
  return (
    <section class="facts" aria-labelledby="facts">
      <h2 id="facts">{words.title}</h2>
      <p class="small">{stated.length === 0 ? words.none : words.intro}</p>
      <dl class="terms">
        {stated.map(([label, fact, shown]) => (
          <Term key={label} name={label}>
            <Value text={shown ?? fact?.value ?? ''} />
            <span class="source">
              <Fill
                text={words.from}
                values={{
                  source: (
                    <>
                      {fact === null ? '' : words.source[fact.source]}{' '}
                      <Untrusted text={fact?.field ?? ''} code />
                    </>
                  ),
                }}
              />
            </span>
          </Term>
        ))}
      </dl>
    </section>
  );
}

/** Characters of a fact that are shown at first: descriptions may be many screens long. */
const AT_ONCE = 400;

/** The beginning of a long text; the rest is shown on request. */
function Value({ text }: { text: string }) {
  const { facts: words } = useSetting().texts.report;
  const characters = [...text];
  if (characters.length <= AT_ONCE) return <Untrusted text={text} />;
  return (
    <>
      <Untrusted
        text={`${characters
          .slice(0, AT_ONCE - 100)
          .join('')
          .trimEnd()}…`}
      />
      <details class="whole">
        <summary>{words.whole}</summary>
        <Untrusted text={text} />
      </details>
    </>
  );
}

function availabilityIn(
  words: Readonly<Record<string, string>>,
  value: string | undefined,
): string | undefined {
  return value !== undefined && Object.hasOwn(words, value) ? words[value] : undefined;
}

/** The lowest and highest price of all variants or sellers. */
function range({ low, high }: Range, currency: string | undefined, language: string): string {
  return `${money(low, currency, language)} – ${money(high, currency, language)}`;
}

/** A price formatted for the language; unchanged if it is not an amount. */
function money(price: string, currency: string | undefined, language: string): string {
  const plain = currency === undefined ? price : `${price} ${currency}`;
  if (currency === undefined || !/^[A-Z]{3}$/.test(currency) || !/^\d{1,12}(?:\.\d{1,4})?$/.test(price))
    return plain;
  return new Intl.NumberFormat(localeOf(language), { style: 'currency', currency }).format(Number(price));
}
