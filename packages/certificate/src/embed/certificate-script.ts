/** Attribute that marks a script element of ours: publishers replace elements with it, and no others. */
export const CERTIFICATE_ATTRIBUTE = 'data-touchstone';

/** Options for embedding a certificate in a page. */
export interface CertificateScriptOptions {
  /**
   * The `@id` of the page's own Product node, so that JSON-LD consumers merge the two nodes into one product. Not bound
   * by the proof.
   */
  readonly nodeId?: string | undefined;
}

/** Options for a certificate with the badge's script. */
export interface CertificateBlockOptions extends CertificateScriptOptions {
  /**
   * Whether the page loads the badge's script, from the service that issued the certificate. The badge is shown in the
   * page's `<product-certificate>` element. Default: false.
   */
  readonly badge?: boolean | undefined;
}

/**
 * Serialises a certificate for a script element: ASCII only, without `<`, `>` and `&`, so that it is independent of the
 * page's encoding and cannot end the element.
 *
 * @example
 * ```ts
 * import { certificateJson } from '@touchstone/certificate/embed';
 *
 * certificateJson({ url: '</script>' }); // '{"url":"\\u003c/script\\u003e"}'
 * ```
 */
export function certificateJson(certificate: object, { nodeId }: CertificateScriptOptions = {}): string {
  const document = nodeId === undefined ? certificate : { '@id': nodeId, ...certificate };
  return JSON.stringify(document).replace(
    /[<>&]|[^\x20-\x7e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/**
 * The script element with a certificate, followed by the badge's script if `badge` is set.
 *
 * @param certificate - the document as served by the service
 * @example
 * ```ts
 * import { certificateScript } from '@touchstone/certificate/embed';
 *
 * certificateScript({ a: 1 }); // '<script type="application/ld+json" data-touchstone>{"a":1}</script>'
 * ```
 */
export function certificateScript(certificate: object, options: CertificateBlockOptions = {}): string {
  const script = `<script type="application/ld+json" ${CERTIFICATE_ATTRIBUTE}>${certificateJson(certificate, options)}</script>`;
  return options.badge === true ? script + badgeScript(certificate) : script;
}

/** Empty if the document does not name its service. */
function badgeScript(certificate: { readonly 'svc:record'?: unknown }): string {
  const { recordUrl } = Object(certificate['svc:record']) as { readonly recordUrl?: unknown };
  const service =
    typeof recordUrl === 'string' ? /^(https?:\/\/[^"'<>&\s]+?)\/api\/v1\//.exec(recordUrl)?.[1] : undefined;
  return service === undefined
    ? ''
    : `<script type="module" ${CERTIFICATE_ATTRIBUTE} src="${service}/badge.js"></script>`;
}
