export { type CertificateCache, memoryCache } from './cache.ts';
export {
  type CertificateQuery,
  type Certificates,
  type CertificatesOptions,
  createCertificates,
} from './certificates.ts';
export type { ServedCertificate } from './service.ts';
export {
  type EdgeOptions,
  type FetchHandler,
  type WorkerContext,
  withCertificate,
} from './with-certificate.ts';
