import type { PageReport } from '@touchstone/contract';
import type { Texts } from '../text/texts.ts';
import { FactList } from '../ui/fact-list.tsx';
import { Fill, localeOf, Untrusted, useSetting } from '../ui/text.tsx';

type PageFacts = PageReport['facts'];
type Fact = NonNullable<PageFacts['name']>;
type Range = NonNullable<PageFacts['offers']>;
type Words = Texts['report']['facts'];

/** A fact that a page states, as it is shown; the text is untrusted. */
interface FactLine {
  readonly name: 'name' | 'price' | 'offers' | 'variant' | 'availability' | 'brand' | 'sku' | 'description';
  readonly fact: Pick<Fact, 'source' | 'field'>;
  readonly text: string;
}

/** The facts that a page states, in the order in which they are shown. */
export function factLines(facts: PageFacts, words: Words, language: string): FactLine[] {
  const { price, currency, availability, variant = null, offers = null } = facts;
  const rows: readonly (readonly [FactLine['name'], Fact | Range | null, string | undefined])[] = [
    ['name', facts.name, undefined],
    ['price', price, price === null ? undefined : money(price.value, currency?.value, language)],
    ['offers', offers, offers === null ? undefined : range(offers, currency?.value, language)],
    ['variant', variant, undefined],
    ['availability', availability, availabilityIn(words.availabilities, availability?.value)],
    ['brand', facts.brand, undefined],
    ['sku', facts.sku, undefined],
    ['description', facts.description, undefined],
  ];
  return rows.flatMap(([name, fact, shown]) =>
    fact === null ? [] : [{ name, fact, text: shown ?? fact.value }],
  );
}

/** The facts that a page states, each with its source; none of them is signed. */
export function Facts({ facts }: { facts: PageFacts }) {
  const { language, texts } = useSetting();
  const { facts: words } = texts.report;
  const lines = factLines(facts, words, language);
  return (
    <section class="facts" aria-labelledby="facts">
      <h2 id="facts">{words.title}</h2>
      <p class="small">{lines.length === 0 ? words.none : words.intro}</p>
      <FactList
        facts={lines.map(({ name, fact, text }) => [
          words[name],
          <>
            <LongText text={text} />
            <span class="source">
              <Fill
                text={words.from}
                values={{
                  source: (
                    <>
                      {words.source[fact.source]} <Untrusted text={fact.field} code />
                    </>
                  ),
                }}
              />
            </span>
          </>,
        ])}
      />
    </section>
  );
}

/** Characters of a fact that are shown at first: descriptions may be many screens long. */
const AT_ONCE = 400;

/** The beginning of a long text; the rest is shown on request. */
export function LongText({ text }: { text: string }) {
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
