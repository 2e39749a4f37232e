import type { ComponentChildren } from 'preact';
import { FactList } from '../ui/fact-list.tsx';
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
      <FactList
        facts={[
          [words.format, format === undefined ? undefined : <Untrusted text={nameOfFormat(format)} />],
          [
            words.size,
            width === undefined || height === undefined
              ? undefined
              : fill(words.sizeValue, { width: number.format(width), height: number.format(height) }),
          ],
          [words.file, contentUrl === undefined ? undefined : <UntrustedLink url={contentUrl} />],
          [words.uploaded, uploaded === undefined ? undefined : <Moment at={uploaded} />],
          [words.updated, updated === undefined ? undefined : <Moment at={updated} />],
        ]}
      />
      <p class="links">
        {file === undefined ? null : <a href={file}>{certificate.images.file}</a>}
        {productId === undefined ? null : (
          <a href={`/api/v1/mc4p/products/${encodeURIComponent(productId)}/certificate`}>{words.product}</a>
        )}
      </p>
    </section>
  );
}
