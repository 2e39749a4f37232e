import type { Receipt } from '@touchstone/certificate/receipt';
import type { ImagesRead } from '../../core/page-checks/page-images.ts';
import type { CapturedPage } from '../../core/page-checks/shared-fetch.ts';
import { writeZip, type ZipEntry } from '../../platform/zip.ts';

/** What is packed. */
export interface EvidenceFile {
  /** Base address of the service. */
  readonly issuer: string;
  readonly request: object;
  readonly report: object;
  readonly receipt: Receipt;
  readonly keys: object;
  readonly captured?: CapturedPage | undefined;
  readonly finalUrl: string;
  readonly images: ImagesRead<string>;
  /** The certificate document of the original; absent: none is known, or it is not served. */
  readonly certificate?: string | undefined;
}

/** Headers that identify whoever asks, or a session. */
const COOKIES = /^(?:set-cookie2?|cookie)$/;
/** Fast: a page of 5 MB takes some 40 ms. */
const LEVEL = 1;

/** One ZIP file, which every system opens. */
export function packEvidence(file: EvidenceFile): Buffer {
  const { captured, receipt, images, certificate } = file;
  const headers = Object.entries(captured?.headers ?? {}).filter(([name]) => !COOKIES.test(name));
  const pictures = images.images.map(({ url, result: sha256 }) => ({ url, sha256 }));
  return writeZip(
    [
      text('README.txt', readMe(file)),
      json('answer.json', { ...file.report, receipt }),
      json('request.json', file.request),
      text('receipt.jws', receipt.jws),
      ...(receipt.timestamp === undefined
        ? []
        : [{ name: 'receipt.tst', bytes: Buffer.from(receipt.timestamp, 'base64') }]),
      json('receipt-jwks.json', file.keys),
      ...(captured?.body === undefined ? [] : [{ name: 'page.html', bytes: captured.body }]),
      ...(captured === undefined
        ? []
        : [json('headers.json', { url: file.finalUrl, headers: Object.fromEntries(headers) })]),
      json('images.json', { images: pictures, complete: !images.capped }),
      ...(certificate === undefined ? [] : [text('certificate.json', certificate)]),
    ],
    LEVEL,
  );
}

const text = (name: string, content: string): ZipEntry => ({ name, bytes: Buffer.from(content) });
const json = (name: string, value: unknown) => text(name, `${JSON.stringify(value, null, 2)}\n`);

const readMe = ({ issuer }: EvidenceFile): string => `What ${issuer} saw of a page, and answered about it.

page.html          the bytes of the page, as it was fetched
headers.json       the headers of its host, without cookies, and the address where it landed
images.json        the SHA-256 of the bytes of its pictures (hex); none for one that could not be fetched
answer.json        the report about the page, with its receipt
request.json       what was asked
receipt.jws        the receipt by itself: signed over request, answer, page, address and time
receipt.tst        a time stamp of receipt.jws (RFC 3161), if the service has an authority
receipt-jwks.json  the public keys of receipts, as they were then
certificate.json   the certificate of the original product, if it is known

To verify it without the service, having obtained receipt-jwks.json from it or from somebody whom you trust:

  touchstone receipt verify answer.json --request request.json --page page.html --issuer ${issuer} --jwks receipt-jwks.json
  openssl ts -verify -data receipt.jws -in receipt.tst -token_in -CAfile <the authority's root>

--------

Lo que ${issuer} vio de una página y lo que respondió sobre ella: los bytes de la página (page.html), las cabeceras de su servidor sin
cookies, las huellas SHA-256 de sus imágenes, el informe con su recibo firmado y el certificado del producto original, si se conoce. Las
órdenes de arriba lo verifican sin el servicio.
`;
