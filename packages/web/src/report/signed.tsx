import type { PageReport } from '@touchstone/contract';
import { FactList } from '../ui/fact-list.tsx';
import { Fill, fill, localeOf, Moment, Untrusted, UntrustedLink, useSetting, useTexts } from '../ui/text.tsx';

type SignedClaims = NonNullable<PageReport['mc4p']['signed']>;

/** The signed claims with their issuer and validity; `null` if there is no valid signature. */
export function Signed({ signed, isPast = false }: { signed: SignedClaims | null; isPast?: boolean }) {
  const { language, texts } = useSetting();
  const { signed: words } = texts.report;
  const number = new Intl.NumberFormat(localeOf(language));
  return (
    <section aria-labelledby="signed">
      <h2 id="signed">{words.title}</h2>
      {signed === null ? (
        <p>{words.none}</p>
      ) : (
        <>
          <FactList
            facts={[
              [
                words.for,
                <strong>
                  <Untrusted text={signed.domain} />
                </strong>,
              ],
              [
                words.control,
                signed.control === undefined ? undefined : <Control control={signed.control} />,
              ],
              [words.product, <Untrusted text={signed.productName} />],
              [words.store, <Untrusted text={signed.storeName} />],
              [words.page, <UntrustedLink url={signed.url} />],
              [words.issuedAt, <Moment at={signed.issuedAt} isZoned />],
              [
                words.expiresAt,
                <>
                  <Moment at={signed.expiresAt} isZoned />
                  {isPast ? ` ${words.expired}` : ''}
                </>,
              ],
              [words.issuer, <Untrusted text={signed.issuer} />],
              [
                words.coverage,
                signed.totalAssets === undefined
                  ? undefined
                  : fill(words.coverageValue, {
                      certified: number.format(signed.certifiedAssets ?? 0),
                      total: number.format(signed.totalAssets),
                    }),
              ],
            ]}
          />
          <p class="small">{words.ownWords}</p>
        </>
      )}
    </section>
  );
}

function Control({ control: { method, checkedAt } }: { control: NonNullable<SignedClaims['control']> }) {
  const { signed: words } = useTexts().report;
  if (checkedAt === undefined) return words.notProven;
  const methods: Readonly<Record<string, string>> = words.methods;
  const values = {
    method: Object.hasOwn(methods, method) ? methods[method] : words.otherMethod,
    when: <Moment at={checkedAt} isZoned />,
  };
  return <Fill text={words.proven} values={values} />;
}
