/** Puts certificates into pages: as a block for templates, into a stream of HTML, into a whole page. */

export {
  CERTIFICATE_ATTRIBUTE,
  type CertificateBlockOptions,
  type CertificateScriptOptions,
  certificateJson,
  certificateScript,
} from './certificate-script.ts';
export { createHtmlEmbedder, type EmbeddedPage, embedCertificate, type HtmlEmbedder } from './embedder.ts';
