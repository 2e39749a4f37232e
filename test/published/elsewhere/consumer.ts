// Type-checked in an empty folder with the packed packages installed; each expected error is verified by the compiler.
import {
  createTrust,
  type VerificationResult,
  verifyByProfile,
  verifyProductCertificate,
} from '@touchstone/certificate';
import { comparePageUrls } from '@touchstone/certificate/binding';
import { type ProofIntent, prepareProof } from '@touchstone/certificate/issue';
import { JwksSchema } from '@touchstone/certificate/schema';
import { type VerifyInput, verify } from '@touchstone/certificate/verify';
import { readFacts } from '@touchstone/facts';
import { createPageFetcher } from '@touchstone/fetch';
import { manifestReader } from '@touchstone/image';
import { openImageWorker } from '@touchstone/image/browser';
import { serveImages } from '@touchstone/image/browser/worker';
import { type HtmlVerification, verifyFromHtml } from '@touchstone/page';
import { readPage } from '@touchstone/page/read';
import { pageVerdict } from '@touchstone/page/verdict';

const options = {
  pageUrl: 'https://shop.example/',
  now: new Date(),
  trust: createTrust({ trustedIssuers: [] }),
};
export const result: Promise<VerificationResult> = verifyProductCertificate({}, options);
export const report: Promise<HtmlVerification> = verifyFromHtml('', options);
export const withFacts = verifyFromHtml('', { ...options, readFacts });
// forwarded options may be present and undefined
declare const wanted: string | undefined;
export const handedOn = verifyProductCertificate({}, { ...options, productId: wanted });
// bytes of files are not Uint8Array<ArrayBuffer>
declare const image: Buffer;
export const full = verifyByProfile({}, { ...options, profile: 'full', kind: 'asset', image });
// @ts-expect-error one of the two would not count
verifyProductCertificate({}, { ...options, trustedIssuers: ['https://certificates.example'] });
// @ts-expect-error whom to trust is not optional
verifyProductCertificate({}, { pageUrl: '', now: new Date() });
// @ts-expect-error a status is one of three
export const never: boolean = (await result).status === 'valid';

export type Exported = [VerifyInput, ProofIntent];
export const functions = [
  verify,
  prepareProof,
  comparePageUrls,
  JwksSchema,
  createPageFetcher,
  readPage,
  pageVerdict,
  openImageWorker,
  manifestReader,
];
export const script = () => serveImages(self);
