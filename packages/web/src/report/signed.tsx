import type { PageReport } from '@touchstone/contract';
import type { ComponentChildren } from 'preact';
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
          <dl class="terms">
            <Term name={words.for}>
              <strong>
                <Untrusted text={signed.domain} />
              </strong>
            </Term>
            {signed.control === undefined ? null : (
              <Term name={words.control}>
                <Control control={signed.control} />
              </Term>
            )}
            <Term name={words.product}>
              <Untrusted text={signed.productName} />
            </Term>
            <Term name={words.store}>
              <Untrusted text={signed.storeName} />
            </Term>
            <Term name={words.page}>
              <UntrustedLink url={signed.url} />
            </Term>
            <Term name={words.issuedAt}>
              <Moment at={signed.issuedAt} isZoned />
            </Term>
            <Term name={words.expiresAt}>
              <Moment at={signed.expiresAt} isZoned />
              {isPast ? ` ${words.expired}` : ''}
            </Term>
            <Term name={words.issuer}>
              <Untrusted text={signed.issuer} />
            </Term>
            {signed.totalAssets === undefined ? null : (
              <Term name={words.coverage}>
                {fill(words.coverageValue, {
                  certified: number.format(signed.certifiedAssets ?? 0),
                  total: number.format(signed.totalAssets),
                })}
              </Term>
            )}
          </dl>
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

export function Term({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
