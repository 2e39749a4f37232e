import { getAcpSchema, getUcpProfile, getUcpSchema, UCP_EXTENSION_VERSION } from '@touchstone/contract';
import { escapeHtml, readingPage } from '../../core/docs/html.ts';
import type { Named } from './documents.ts';

/** The page to which `spec` of our extensions leads. */
export function specificationPage({ name, signal }: Named): string {
  const code = (text: string) => `<code>${escapeHtml(text)}</code>`;
  const link = (path: string) => `<a href="${path}">${escapeHtml(path)}</a>`;
  return readingPage({
    title: 'Certificates in commerce protocols',
    main: `<p>Version ${UCP_EXTENSION_VERSION} of ${code(name)}. <a href="/docs">API reference</a></p>
<h2>A certificate in a product (UCP)</h2>
<p>${code('metadata')} of a product has the member ${code(name)}: the certificate of its page, the JSON object that this service serves,
unchanged. A variant has it only if it has a page and a certificate of its own. A business that does so lists the extension in its profile,
with the entry that is in ${link(getUcpProfile.path)}. Schema: ${link(getUcpSchema.path)}.</p>
<p>Anybody can copy a certificate. Whoever reads one verifies it, and compares the product with what was signed: its page, its host, its name
and identifiers. An item that agrees is no reason to buy by itself: its page was not seen. Check the page.</p>
<h2>A signed statement (UCP)</h2>
<p>${code('signals')} of a request has the member ${code(signal)} with ${code('provider_jwks')}, ${code('kid')} and ${code('jws')}: a
compact JWS, ${code('alg')} ES256, ${code('typ')} ${code('touchstone-attestation+jwt')}. A business verifies it so:</p>
<ol>
<li>${code('provider_jwks')} has the host from which the key of the member is made, reversed: ${link(getUcpProfile.path)} of this service.
A key from elsewhere proves nothing.</li>
<li>The signature is by the key ${code('kid')} in ${code('keys')} there; ${code('typ')} and ${code('alg')} are these.</li>
<li>${code('exp')} is not past (15 minutes after ${code('iat')}), and ${code('aud')}, if present, is its own origin.</li>
<li>${code('subject')} is the page, or the item, in question.</li>
</ol>
<p>It states what was concluded (${code('verdict')}, ${code('conclusion')}), from what, when, and in ${code('notSeen')} what was not looked
at. It states nothing about the buyer, and nothing about goods that were not looked at.</p>
<h2>A checkout session (ACP)</h2>
<p>Products in feeds of ACP have no member of others; an item without a certificate is verified by the one that is published for its page.
A checkout session has ${code('metadata')}, in which the member ${code(name)} has certificates by the id of the line item. The declaration
for ${code('capabilities.extensions')} is ${code('$defs.declaration')} of ${link(getAcpSchema.path)}.</p>`,
  });
}
