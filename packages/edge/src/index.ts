export type { ServedCertificate } from './answer.ts';
export { type CertificateCache, memoryCache } from './cache.ts';
export {
  type CertificateQuery,
  type Certificates,
  type CertificatesOptions,
  createCertificates,
} from './certificates.ts';
export {
  type EdgeOptions,
  type FetchHandler,
  type WorkerContext,
  withCertificate,
} from './with-certificate.ts';
