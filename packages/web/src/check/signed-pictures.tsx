import { useEffect, useState } from 'preact/hooks';
import { certifiedFile, type ProductAnswer } from '../certificate/answers.ts';
import { fileNameOf } from '../report/images.tsx';
import { call } from '../ui/call.ts';
import { fill, plural, UntrustedLink, useSetting } from '../ui/text.tsx';

/** Pictures that are shown. */
const SHOWN = 6;

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

/** The signed pictures, from this service's own store: nothing is loaded from the shop. */
export function SignedPictures({ productId, addresses }: SignedPicturesProps) {
  const { language, texts } = useSetting();
  const { comparison: words } = texts.report;
  const stored = useStoredPictures(productId);
  const files = new Map(stored?.map(({ url, file }) => [url, file]));
  const urls = addresses.length > 0 ? addresses : [...files.keys()];
  // the place of the pictures is kept free until they are there
  if (urls.length === 0)
    return stored === undefined ? <div class="thumbs" /> : <span class="absent">{words.noPictures}</span>;
  return (
    <>
      <ul class="thumbs">
        {urls.slice(0, SHOWN).map((url, index) => (
          <li key={url}>
            <Thumb url={url} file={files.get(url)} alt={fill(words.picture, { number: index + 1 })} />
          </li>
        ))}
      </ul>
      {urls.length > SHOWN ? (
        <p class="small">{plural(language, words.further, urls.length - SHOWN)}</p>
      ) : null}
    </>
  );
}

/** Without stored bytes, a link that the reader may follow. */
function Thumb({ url, file, alt }: { url: string; file: string | undefined; alt: string }) {
  const [isLost, setLost] = useState(false);
  if (file === undefined || isLost) return <UntrustedLink url={url} label={fileNameOf(url)} />;
  return (
    <a href={file}>
      <img src={file} alt={alt} loading="lazy" decoding="async" onError={() => setLost(true)} />
    </a>
  );
}

/** The pictures of a product's present certificate; `undefined` while it is fetched, empty if it cannot be. */
function useStoredPictures(productId: string): readonly SignedPicture[] | undefined {
  const [pictures, setPictures] = useState<readonly SignedPicture[]>();
  useEffect(() => {
    const controller = new AbortController();
    setPictures(undefined);
    const path = `/api/v1/mc4p/products/${encodeURIComponent(productId)}/certificate`;
    call<ProductAnswer>(path, { signal: controller.signal, patience: 10_000 }).then(
      (answer) => setPictures(answer.kind === 'answer' ? picturesIn(answer.body) : []),
      () => {
        // another report is shown
      },
    );
    return () => controller.abort();
  }, [productId]);
  return pictures;
}

function picturesIn(certificate: ProductAnswer): SignedPicture[] {
  if (!('svc:images' in certificate)) return [];
  return certificate['svc:images'].map(({ contentUrl, encodingFormat, certification }) => ({
    url: contentUrl,
    file: certifiedFile(certification['svc:contentCredentials'], encodingFormat),
  }));
}
