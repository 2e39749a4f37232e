/** What marks a block of ours in a page: whoever publishes certificates replaces the block that bears it, and no other. */
export const CERTIFICATE_ATTRIBUTE = 'data-touchstone';

/** How a certificate goes into a page. */
export interface CertificateScriptOptions {
  /**
   * The `@id` of the Product node that the page prints itself, so that readers of JSON-LD see one product in two nodes. The
   * proof does not bind it.
   */
  readonly nodeId?: string | undefined;
}

/** What a page loads beside its certificate. */
export interface CertificateBlockOptions extends CertificateScriptOptions {
  /**
   * Whether the page loads the badge's script, from the service that made the certificate; the badge shows where the page has
   * a `<product-certificate>` element. Default: no.
   */
  readonly badge?: boolean | undefined;
}

/**
 * A certificate as the text of a script element: only ASCII, without `<`, `>` and `&`, so that it means the same in every
 * encoding of a page, and nothing in it can end the element.
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
 * The block that carries a certificate in a page, with the badge's script behind it where that is wanted.
 *
 * @param certificate - the document as the service serves it
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

/** Empty for a document that does not name its service. */
function badgeScript(certificate: { readonly 'svc:record'?: unknown }): string {
  const { recordUrl } = Object(certificate['svc:record']) as { readonly recordUrl?: unknown };
  const service =
    typeof recordUrl === 'string' ? /^(https?:\/\/[^"'<>&\s]+?)\/api\/v1\//.exec(recordUrl)?.[1] : undefined;
  return service === undefined
    ? ''
    : `<script type="module" ${CERTIFICATE_ATTRIBUTE} src="${service}/badge.js"></script>`;
}
