import { PROFILE_REASONS, REASONS } from '@touchstone/certificate/verify';
import { ERROR_CODES } from '@touchstone/contract';
import { DELIVERY_FAILURES, IMAGE_FAILURES, SWEEP_CODES, SWEEP_RESULTS } from '@touchstone/contract/codes';
import { PAGE_CODES } from '@touchstone/page';

/** What a table says to people, without what it says to the service. */
function wordsOf<K extends string>(
  table: Readonly<Record<K, { readonly sentence: string; readonly nextStep: string }>>,
): Readonly<Record<K, { readonly sentence: string; readonly nextStep: string }>> {
  const entries = Object.entries(table) as [K, { sentence: string; nextStep: string }][];
  const words = entries.map(([code, { sentence, nextStep }]) => [code, { sentence, nextStep }]);
  return Object.fromEntries(words) as Readonly<Record<K, { sentence: string; nextStep: string }>>;
}

/**
 * Every text of the pages, in English; other languages have the same shape (`texts.ts`). `{name}` stands for a value, and
 * a text with `one` and `other` for a plural (Intl.PluralRules). Only read when the pages are built.
 */
export const en = {
  /** Of documents, as the service writes them: also what is read without JavaScript. */
  head: {
    site: 'Touchstone',
    withoutScript: 'This page shows more with JavaScript.',
    asData: 'The same for programs',
    check: {
      title: 'Check a product page',
      description:
        'Was the certificate on this product page issued for this shop, this page and this product?',
    },
    pageCheck: { title: '{verdict}', description: '{verdict} Check of {url}, {when}.' },
    certificate: {
      title: 'Certificate of {name}',
      description: 'Issued for {domain}. What was signed, when, until when, and for which page.',
    },
    asset: {
      title: 'Image certificate',
      description: 'What is known of this image, and of the product that it shows.',
    },
    verify: {
      title: 'Verify a certificate or an image',
      description: 'Judges certificates, pages and images in your browser. Nothing is uploaded.',
    },
    console: { title: 'Console', description: 'Stores, products, certificates and pages of merchants.' },
    problem: { title: 'Nothing to show here', description: '{detail}' },
    unavailable: { title: 'Not available at the moment', description: '{detail}' },
  },

  common: {
    skip: 'Skip to the content',
    home: 'Touchstone: check a page',
    nav: { label: 'Main', check: 'Check', verify: 'Verify', console: 'Console', docs: 'API reference' },
    language: 'Language',
    about:
      'Certificates say for which shop, page and product they were issued. They do not say that goods are genuine.',
    yes: 'yes',
    no: 'no',
    none: 'none',
    copy: 'Copy',
    copied: 'Copied',
    tryAgain: 'Try again',
    details: 'Details',
    newTab: 'opens in a new tab',
    problem: {
      ours: 'This is a fault of our service, not of the page that you asked about.',
      title: 'Something is not here',
      unavailable: 'Our service cannot answer at the moment',
      requestId: 'Request {id}',
      withdrawn: 'It may have been deleted, or the address may be mistyped.',
      checkInstead: 'Check a product page instead',
    },
  },

  /** The ten verdicts on a page: what a person reads first. */
  verdicts: {
    verified: { title: 'Issued for this shop and this page.', short: 'Verified' },
    unverified: { title: 'There is a certificate, but nothing signed in it to check.', short: 'Not signed' },
    certificate_expired: { title: 'The certificate is genuine, but past its 7 days.', short: 'Expired' },
    checks_failed: { title: 'The certificate does not hold for this page.', short: 'Does not hold' },
    /** With `checks_failed`, where the signature is good and the site another. */
    another_site: { title: 'Signed, but for another site: {site}', short: 'For another site' },
    another_page: { title: 'Signed for this shop, but for another page.', short: 'For another page' },
    no_certificate: { title: 'This page carries no certificate.', short: 'No certificate' },
    invalid_certificate: {
      title: 'What stands on the page as a certificate cannot be one.',
      short: 'Not a certificate',
    },
    canonical_mismatch: {
      title: 'The certificate points to another issuer than this service.',
      short: 'Another issuer',
    },
    product_deleted: { title: 'Nothing is certified for this product any more.', short: 'Withdrawn' },
    password_protected: {
      title: 'The shop asks for a password, so the page could not be read.',
      short: 'Behind a password',
    },
    page_fetch_failed: { title: 'The page could not be opened.', short: 'Not opened' },
  },

  report: {
    pageChecked: 'Page checked',
    askedFor: 'Asked for, and led on',
    checkedAt: 'Checked {when}',
    /** What each verdict means for a shopper. */
    meaning: {
      verified: 'The signature is valid, and it names this shop, this page and this product.',
      unverified: 'That is no sign of fraud: without a signature nothing can be said.',
      certificate_expired: 'The shop has not renewed it in time. Nothing else is wrong with it.',
      checks_failed: 'At least one of the checks that decide failed: do not rely on the certificate.',
      another_site: 'The certificate was copied, or the shop has moved. Here it proves nothing.',
      another_page: 'It was signed for another address of the same shop. Here it proves nothing.',
      no_certificate: 'Most pages carry none. That is no sign of fraud.',
      invalid_certificate: 'It lacks what every certificate has. Here it proves nothing.',
      canonical_mismatch: 'This service did not issue it and cannot say anything about it.',
      product_deleted: 'The registry knows the product no more, or the operator has blocked it.',
      password_protected: 'Only the owner of the shop can let others in.',
      page_fetch_failed: 'That says nothing about a certificate: the page was not seen.',
    },
    /** One step per verdict. */
    next: {
      verified: 'Nothing to do. Price and stock are the shop’s own words: compare them below.',
      unverified: 'If this is your shop: publish the certificate anew, with its proof.',
      certificate_expired:
        'If this is your shop: publish the current certificate; it is renewed by itself in the service.',
      checks_failed: 'Look below which check failed. If this is your shop, its next step stands there.',
      another_site:
        'If you wanted to buy from {site}, open that site yourself instead of following links from here.',
      another_page: 'Open the page that it was signed for, and check that one.',
      no_certificate: 'If this is your shop: certify the product in the console.',
      invalid_certificate: 'If this is your shop: publish the certificate as the service gives it out.',
      canonical_mismatch: 'Ask the issuer that the certificate names, if you know and trust it.',
      product_deleted:
        'If this is your shop: import the product again, or take the certificate off the page.',
      password_protected: 'If this is your shop: take the password off, then check again.',
      page_fetch_failed: 'Open the page in your browser; if it is there, check again in a minute.',
    },
    signed: {
      title: 'What was signed',
      none: 'Nothing on this page is validly signed.',
      for: 'Issued for',
      store: 'Shop',
      product: 'Product',
      page: 'Page',
      issuer: 'Signed by',
      issuedAt: 'Signed on',
      expiresAt: 'Valid until',
      expired: '(past)',
      coverage: 'Certified images',
      coverageValue: '{certified} of {total}',
      ownWords: 'Names and addresses are the shop’s own words, recorded when it was signed.',
    },
    scope: {
      title: 'What this proves',
      proves: 'It proves',
      provesItems: [
        'that this service issued the certificate, and nobody altered it since',
        'for which shop, which page and which product it was issued, and until when',
      ],
      provesNot: 'It does not prove',
      provesNotItems: [
        'that the goods are genuine, or the seller authorised',
        'that price, stock or description are right: those are the shop’s own words',
      ],
    },
    checks: {
      title: 'The checks',
      summary: { one: '{passed} of 9 checks passed', other: '{passed} of 9 checks passed' },
      passed: 'Passed',
      failed: 'Failed',
      notRun: 'Not run',
      expected: 'Expected',
      same: 'Expected and found',
      found: 'Found',
      why: 'Why',
      nextStep: 'Next step',
      advisory: 'Advises only',
      decides: 'Decides',
      names: {
        signatureValid: 'The signature is valid',
        certificateIntegrity: 'Nothing was altered',
        timestampValid: 'It is within its 7 days',
        boundToDomain: 'It was signed for this site',
        boundToUrl: 'It was signed for this page',
        productIdMatches: 'It was signed for this product',
        domainKnown: 'The site belongs to the shop',
        domainVerified: 'The shop has proven that it controls the site',
        trustDataCurrent: 'The signed counts are still right',
      },
      /** What to do about each, for whoever runs the shop. */
      next: {
        signatureValid:
          'Publish the certificate exactly as the service gives it out; no part of it may be edited.',
        certificateIntegrity:
          'Fetch the certificate anew from the service, and print it on the page unchanged.',
        timestampValid:
          'Publish the current certificate: the service renews it by itself, a page must follow.',
        boundToDomain:
          'Shoppers: open the signed site yourself. Shop: add this site to your store, then publish anew.',
        boundToUrl: 'Open the signed page; if your product has moved, import its new address.',
        productIdMatches: 'Publish on each page the certificate of its own product.',
        domainKnown: 'Add this site to the store in the console.',
        domainVerified: 'Prove control of the site in the console: a DNS record, a file or a meta tag.',
        trustDataCurrent: 'Nothing: the next renewal signs the new counts.',
      },
    },
    facts: {
      title: 'What the page says',
      intro: 'Read from the page when it was opened. Nobody signed this.',
      none: 'The page states no facts that could be read.',
      name: 'Name',
      price: 'Price',
      availability: 'Availability',
      sku: 'SKU',
      brand: 'Brand',
      description: 'Description',
      source: { jsonld: 'structured data', meta: 'meta tag', html: 'text of the page' },
      from: 'from {source}',
      availabilities: {
        InStock: 'In stock',
        OutOfStock: 'Out of stock',
        PreOrder: 'Can be ordered ahead',
        BackOrder: 'On back order',
        Discontinued: 'Discontinued',
        SoldOut: 'Sold out',
        LimitedAvailability: 'Few left',
        InStoreOnly: 'In store only',
        OnlineOnly: 'Online only',
        PreSale: 'On presale',
      },
    },
    images: {
      title: 'Images on the page',
      none: 'No images of the product were found on the page.',
      count: { one: '{count} image', other: '{count} images' },
      notCompared: 'Compared only when asked for: that fetches each image.',
      compare: 'Compare them with the certified ones',
      open: 'Open the image',
      found: {
        image_same: 'The certified image, byte for byte',
        image_source: 'The file that the certified image was made from',
        image_issued_to_another_store: 'Signed for another shop',
        image_copy: 'Shows the same picture as a certified image',
        image_similar: 'Similar to a certified image',
        image_not_certified: 'None of the certified images',
        image_unread: 'Could not be examined',
      },
    },
    notes: {
      title: 'Notes',
      errors: 'Failures',
      warnings: 'Warnings',
      findings: 'Findings',
      none: 'Nothing to note.',
    },
  },

  check: {
    title: 'Is this page what it says?',
    lead: 'Paste the address of a product page. We open it, read the certificate on it, and say for whom it was issued.',
    field: 'Address of the product page',
    placeholder: 'shop.example/products/cup',
    submit: 'Check',
    stop: 'Stop',
    bad: {
      empty: 'Enter the address of a product page, for example shop.example/products/cup.',
      notWeb: 'Only addresses of web pages can be checked: they begin with https:// or http://.',
      notAddress: 'This is no web address. Copy it from the address bar of your browser.',
    },
    running: {
      title: 'Checking {site}',
      note: 'One answer comes when all of it is done, mostly within a few seconds.',
      slow: 'The shop answers slowly; we wait up to 10 seconds for it.',
      steps: [
        'Open the page, as any visitor would',
        'Read what it says, and find its certificate',
        'Check signature, site, page, product and dates',
        'Ask the registry what it knows of the shop',
      ],
    },
    again: 'Check again now',
    againNote: 'Opens the page anew.',
    left: { one: '{count} fresh check left this minute', other: '{count} fresh checks left this minute' },
    permalink: 'Link to this result',
    permalinkNote: 'Shows this result for 30 days, as it was.',
    qr: 'QR code of the link',
    print: 'Print',
    share: 'Keep this result',
    kept: 'An earlier result, as it was given then.',
    checkNow: 'Check this page now',
    trouble: {
      limitedTitle: 'Too many checks for the moment',
      limited: {
        one: 'You can check again in {count} second.',
        other: 'You can check again in {count} seconds.',
      },
      offlineTitle: 'You seem to be offline',
      offline: 'Our service could not be reached from here. Look at your connection and try again.',
      oursTitle: 'Our service cannot answer at the moment',
      ours: 'This is our fault and says nothing about the page. Try again in a moment.',
      timeoutTitle: 'Our service took too long',
      timeout: 'No answer came within 45 seconds. This says nothing about the page. Try again.',
      refusedTitle: 'This address cannot be checked',
    },
    how: {
      title: 'How it works',
      items: [
        'A shop’s product page can carry a certificate: a few lines that say for which shop, page and product they were issued, with a signature.',
        'A copy of them on another site is found out: the signature names the site that it was made for.',
        'The check opens the page once. Nothing is stored about you.',
      ],
    },
  },

  certificate: { title: 'Certificate', data: 'As data' },
  asset: { title: 'Image certificate' },
  verify: {
    title: 'Verify a certificate or an image',
    lead: 'Everything is judged in your browser. Nothing is uploaded.',
  },
  console: { title: 'Console', lead: 'Sign in with the API key of your merchant, or the operator key.' },

  /** Sentences of codes, as the contract has them. */
  reasons: REASONS,
  pageCodes: PAGE_CODES,
  faults: ERROR_CODES,
  profileReasons: PROFILE_REASONS,
  images: wordsOf(IMAGE_FAILURES),
  sweeps: wordsOf(SWEEP_RESULTS),
  sweepCodes: SWEEP_CODES,
  deliveries: wordsOf(DELIVERY_FAILURES),
} as const;
