import { useEffect, useState } from 'preact/hooks';
import { certifiedFile, type ProductAnswer } from '../certificate/answers.ts';
import { fileNameOf } from '../report/images.tsx';
import { call } from '../ui/call.ts';
import { fill, plural, UntrustedLink, useSetting } from '../ui/text.tsx';

/** Pictures that are shown: one row on a phone. */
const SHOWN = 3;

/** A signed picture: its address at the shop, and the path of the bytes that this service stores, if it has any. */
interface SignedPicture {
  readonly url: string;
  readonly file: string | undefined;
}

interface SignedPicturesProps {
  readonly productId: string;
  /** Addresses at the shop, as signed; empty: all of the product's certificate. */
  readonly addresses: readonly string[];
}

/**
 * The signed pictures, from this service's own store: nothing is loaded from the shop. Without stored bytes, links that the reader may
 * follow. Its height is the same before and after the pictures are there.
 */
export function SignedPictures({ productId, addresses }: SignedPicturesProps) {
  const { language, texts } = useSetting();
  const { comparison: words } = texts.report;
  const path = certificatePath(productId);
  const stored = useStoredPictures(path);
  const files = new Map(stored?.map(({ url, file }) => [url, file]));
  const urls = addresses.length > 0 ? addresses : [...files.keys()];
  const withFile = urls.flatMap((url) => {
    const file = files.get(url);
    return file === undefined ? [] : [{ url, file }];
  });
  const further = urls.length - SHOWN;
  return (
    <div class="signed-pictures">
      {withFile.length > 0 ? (
        <ul class="thumbs">
          {withFile.slice(0, SHOWN).map(({ url, file }, index) => (
            <li key={url}>
              <a href={file}>
                <img
                  src={file}
                  alt={fill(words.picture, { number: index + 1 })}
                  loading="lazy"
                  decoding="async"
                />
              </a>
            </li>
          ))}
        </ul>
      ) : null}
      {stored !== undefined && withFile.length === 0
        ? urls.slice(0, SHOWN).map((url) => (
            <p key={url}>
              <UntrustedLink url={url} label={fileNameOf(url)} />
            </p>
          ))
        : null}
      {stored !== undefined && urls.length === 0 ? <span class="absent">{words.noPictures}</span> : null}
      {further > 0 ? (
        <p class="small">
          <a href={path}>{plural(language, words.further, further)}</a>
        </p>
      ) : null}
    </div>
  );
}

function certificatePath(productId: string): string {
  return `/api/v1/mc4p/products/${encodeURIComponent(productId)}/certificate`;
}

/** The pictures of a product's present certificate, by its path; `undefined` while it is fetched, empty if it cannot be. */
function useStoredPictures(path: string): readonly SignedPicture[] | undefined {
  const [pictures, setPictures] = useState<readonly SignedPicture[]>();
  useEffect(() => {
    const controller = new AbortController();
    setPictures(undefined);
    call<ProductAnswer>(path, { signal: controller.signal, patience: 10_000 }).then(
      (answer) => setPictures(answer.kind === 'answer' ? picturesIn(answer.body) : []),
      () => {
        // another report is shown
      },
    );
    return () => controller.abort();
  }, [path]);
  return pictures;
}

function picturesIn(certificate: ProductAnswer): SignedPicture[] {
  if (!('svc:images' in certificate)) return [];
  return certificate['svc:images'].map(({ contentUrl, encodingFormat, certification }) => ({
    url: contentUrl,
    file: certifiedFile(certification['svc:contentCredentials'], encodingFormat),
  }));
}
