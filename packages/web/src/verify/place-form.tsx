import { useTexts } from '../ui/text.tsx';
import { isWebAddress, type Verifier } from './use-verifier.ts';

/** Asks where the certificate was seen, which only the user knows. */
export function PlaceForm({ verifier: { given, setPlace } }: { verifier: Verifier }) {
  const { place: words } = useTexts().verify;
  const { subject, pageUrl, productId } = given;
  const isWrong = pageUrl.trim() !== '' && !isWebAddress(pageUrl);
  return (
    <section class="place" aria-labelledby="place">
      <h2 id="place">{words.title}</h2>
      <p>
        <label for="page-url">{words.pageUrl}</label>
        <input
          id="page-url"
          type="url"
          inputMode="url"
          dir="ltr"
          autocomplete="off"
          spellcheck={false}
          placeholder="https://shop.example/products/cup"
          value={pageUrl}
          aria-invalid={isWrong}
          aria-describedby="page-url-why"
          onInput={({ currentTarget }) => setPlace({ pageUrl: currentTarget.value })}
        />
      </p>
      <p id="page-url-why" class="small">
        {isWrong ? words.invalid : subject?.kind === 'page' ? words.whyPage : words.why}
      </p>
      <details open={productId !== ''}>
        <summary>{words.more}</summary>
        <p>
          <label for="product-id">{words.productId}</label>
          <input
            id="product-id"
            dir="ltr"
            autocomplete="off"
            spellcheck={false}
            value={productId}
            aria-describedby="product-id-why"
            onInput={({ currentTarget }) => setPlace({ productId: currentTarget.value })}
          />
        </p>
        <p id="product-id-why" class="small">
          {words.whyProduct}
        </p>
      </details>
    </section>
  );
}
