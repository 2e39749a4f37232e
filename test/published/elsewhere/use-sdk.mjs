// Copied to an empty folder with the packed packages installed: what an external user would write.
import { CannotVerifyError, verifyProductCertificate } from '@touchstone/certificate';
import { createTestIssuer, TEST_ISSUER, TEST_NOW, TEST_PRODUCT } from '@touchstone/certificate/testing';
import { verifyFromHtml } from '@touchstone/page';

export async function useSdk() {
  const issuer = await createTestIssuer();
  const document = await issuer.certificate();
  const options = {
    pageUrl: TEST_PRODUCT.url,
    trustedIssuers: [TEST_ISSUER],
    jwks: issuer.jwks,
    now: TEST_NOW,
  };
  const html = `<title>Cup</title><script type="application/ld+json">${JSON.stringify(document)}</script>`;
  const sound = await verifyProductCertificate(document, options);
  const copied = await verifyProductCertificate(document, { ...options, pageUrl: 'https://copy.example/' });
  const page = await verifyFromHtml(html, options);
  const untrusting = verifyProductCertificate(document, { ...options, trustedIssuers: [] });
  const refused = await untrusting.catch((error) =>
    error instanceof CannotVerifyError ? error.code : error,
  );
  return [sound.status, copied.status, page.verdict, refused];
}
