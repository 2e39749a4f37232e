import type { ComponentChildren } from 'preact';
import { Term } from '../report/signed.tsx';
import { fill, localeOf, Moment, nameOfFormat, Untrusted, UntrustedLink, useSetting } from '../ui/text.tsx';
import type { ImageView } from './image-view.ts';

/** The picture, and the properties that identify the file. */
export function ImageFacts({ image, picture }: { image: ImageView; picture: ComponentChildren }) {
  const { language, texts } = useSetting();
  const { asset: words, certificate } = texts;
  const { format, width, height, contentUrl, productId, uploaded, updated, file } = image;
  const number = new Intl.NumberFormat(localeOf(language));
  return (
    <section class="image-facts" aria-labelledby="image">
      <h2 id="image">{words.facts}</h2>
      {picture}
      {file === undefined ? null : <p class="small">{words.pictureNote}</p>}
      <dl class="terms">
        {format === undefined ? null : (
          <Term name={words.format}>
            <Untrusted text={nameOfFormat(format)} />
          </Term>
        )}
        {width === undefined || height === undefined ? null : (
          <Term name={words.size}>
            {fill(words.sizeValue, { width: number.format(width), height: number.format(height) })}
          </Term>
        )}
        {contentUrl === undefined ? null : (
          <Term name={words.file}>
            <UntrustedLink url={contentUrl} />
          </Term>
        )}
        {uploaded === undefined ? null : (
          <Term name={words.uploaded}>
            <Moment at={uploaded} />
          </Term>
        )}
        {updated === undefined ? null : (
          <Term name={words.dates.updated}>
            <Moment at={updated} />
          </Term>
        )}
      </dl>
      <p class="links">
        {file === undefined ? null : <a href={file}>{certificate.images.file}</a>}
        {productId === undefined ? null : (
          <a href={`/api/v1/mc4p/products/${encodeURIComponent(productId)}/certificate`}>{words.product}</a>
        )}
      </p>
    </section>
  );
}
