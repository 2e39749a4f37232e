/** Embeds certificates in pages: as a script element for templates, in a stream of HTML, or in a whole page. */

export {
  CERTIFICATE_ATTRIBUTE,
  type CertificateBlockOptions,
  type CertificateScriptOptions,
  certificateJson,
  certificateScript,
} from './certificate-script.ts';
export { createHtmlEmbedder, type EmbeddedPage, embedCertificate, type HtmlEmbedder } from './embedder.ts';
