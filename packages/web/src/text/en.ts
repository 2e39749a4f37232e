import { CANNOT_VERIFY } from '@touchstone/certificate';
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
      summary: { one: '{passed} of {total} checks passed', other: '{passed} of {total} checks passed' },
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
        imageBound: 'These bytes are the certified ones',
        c2paValid: 'The content credentials are sound',
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
        imageBound:
          'Compare with the file that the shop serves now, or with the certified file of the certificate’s page.',
        c2paValid:
          'Put the certified file on the page as the service gives it out; editing or resizing breaks its credentials.',
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

  certificate: {
    title: 'Certificate',
    product: 'Product certificate',
    untitled: 'Product {id}',
    issuedFor: 'Issued for {site}',
    claimed: 'As the proof says. “Verify in this browser” below checks it.',
    states: {
      current: {
        title: 'Signed and published',
        text: 'The certificate may be relied on where a page carries it and the check of that page succeeds.',
      },
      past: {
        title: 'The proof has expired',
        text: 'Its 7 days are over. The service renews proofs by itself: reload this page for the present one.',
      },
      ahead: {
        title: 'The proof is not valid yet',
        text: 'Its dates lie ahead of the clock of this device. Compare the clock.',
      },
      identity: {
        title: 'Known, but not published now',
        text: 'The service knows this product and publishes no trust data for it: its merchant hides it, or the plan does not carry it at the moment. That is no failure and no sign of fraud. There is nothing signed to check until it is published again.',
      },
    },
    validity: {
      title: 'Validity',
      picture: 'Valid from {from} until {until}',
      from: 'From',
      until: 'Until',
      left: { one: '{count} day left', other: '{count} days left' },
      after:
        'A proof lives for 7 days. About two days before its end the service signs a new one by itself, as long as the product is published; the page of the shop has to carry the new one. After its end an old proof proves nothing any more, though it was genuine.',
    },
    coverage: {
      title: 'Images that are certified',
      picture: '{certified} of {total} images are certified',
      value: '{certified} of {total}',
      percent: '{percent} of the images on record',
      none: 'The product has no images on record.',
      legend: { certified: 'certified', other: 'not certified' },
      meaning:
        'Certified: the shop serves a file whose content credentials (C2PA) are sound. It is a count, no score: it says nothing about quality.',
    },
    images: {
      title: 'The images',
      states: {
        certified: 'Certified: the file carries sound content credentials',
        source: 'Signed by this service, but the shop still serves the unsigned file',
        invalid: 'Carries content credentials that do not hold',
        none: 'Carries no content credentials',
        remote: 'Names content credentials that lie elsewhere; they are not fetched',
        another_store: 'Signed by this service for another shop',
        unscanned: 'Not examined yet',
      },
      shown: 'The certified file, served by this service',
      noPicture: 'Not shown: this page loads nothing from shops.',
      page: 'Certificate of this image',
      file: 'Certified file',
      atShop: 'At the shop',
      hash: 'SHA-256',
      seeTitle: 'How to see for yourself',
      see: [
        'Save the image from the shop’s page, or the certified file from here.',
        'Open it in our verifier: it reads the content credentials in your browser and uploads nothing.',
        'Or use any other tool for content credentials, for example the public one at {tool}. That one belongs to others and may upload the image.',
      ],
      openVerifier: 'Open the verifier',
    },
    key: {
      title: 'Signing key',
      intro:
        'The proof is a signature by this key of the service. Its public half is open to everybody, so anybody can check the signature without asking us.',
      kid: 'Name of the key',
      algorithm: 'Algorithm',
      issuer: 'Issuer',
      jwks: 'All public keys (JWKS)',
    },
    history: {
      title: 'History',
      current: 'This proof was signed on {when}.',
      text: 'Proofs of one product follow one another, at most 7 days each; here stands the present one. Former ones are not public: their times would tell when a merchant changes its catalogue. The merchant sees them in its console.',
    },
    facts: {
      title: 'What was recorded',
      product: 'Product',
      store: 'Shop',
      page: 'Page',
      domain: 'Site',
      productId: 'Identifier at this service',
      externalProductId: 'Identifier at the shop',
    },
    here: {
      title: 'Verify in this browser',
      intro:
        'Your browser fetches the public keys and checks the signature itself. You need not believe this page’s word for it.',
      run: 'Verify now',
      again: 'Verify again',
      running: 'Verifying…',
      keys: 'Public keys fetched',
      keysFound: { one: '{count} key, as of {when}', other: '{count} keys, as of {when}' },
      sound: 'The certificate is genuine and unaltered.',
      unsound: 'The certificate does not hold.',
      unknown: 'Could not be verified.',
      notHere: 'Whether a page may carry it is another question, which only a check of that page answers.',
      checkPage: 'Check the shop’s page',
      by: 'Checked by {verifier}, in this browser.',
    },
    keep: {
      title: 'Take it with you',
      json: 'Download as JSON',
      copy: 'Copy for a page',
      copied: 'Copied',
      copyNote: 'The block of HTML that the shop’s page carries. On any other page it fails.',
      link: 'Link to this certificate',
      copyLink: 'Copy the link',
      qr: 'QR code',
      print: 'Print',
      offline: 'Open in the offline verifier',
    },
    gone: {
      product_unknown: {
        title: 'No certificate stands here',
        text: 'No product of this number is certified by this service now. It may have been deleted, blocked, or never been here.',
        next: 'If a page carries a certificate that leads here, do not rely on it. Check that page to see what it says.',
      },
      asset_unknown: {
        title: 'No image certificate stands here',
        text: 'No image of this number has a certificate now. The image or its product may have been deleted, or the image was not examined yet.',
        next: 'If this is your shop, the console says what became of the image.',
      },
      image_certificate_unknown: {
        title: 'No image certificate stands here',
        text: 'No image of this number is certified now, or its merchant hides the product.',
        next: 'If this is your shop, the console says what became of the image.',
      },
      certificate_paused: {
        title: 'This certificate is paused',
        text: 'The merchant’s plan does not carry it at the moment. Nothing is wrong with the image.',
        next: 'Come back later. If this is your shop, raise the capacity of your plan, or hide other products.',
      },
      asset_not_image: {
        title: 'This is no image',
        text: 'The file at this address of the shop is no image that can be certified.',
        next: 'If this is your shop, replace the file by a JPEG, PNG, WebP, AVIF, HEIC or GIF.',
      },
      malformed: {
        title: 'This address is incomplete',
        text: 'The number in it is not one of ours: perhaps the link was cut off when it was copied.',
        next: 'Copy the whole link again.',
      },
    },
  },
  asset: {
    title: 'Image certificate',
    of: 'Image of {name}',
    untitled: 'Image {id}',
    picture: 'The certified image',
    pictureNote: 'Served by this service, by the SHA-256 hash of its bytes.',
    facts: 'The image',
    format: 'Format',
    size: 'Size',
    sizeValue: '{width} × {height} pixels',
    uploaded: 'Uploaded',
    file: 'At the shop',
    product: 'Certificate of the product',
    credentials: {
      title: 'Content credentials (C2PA)',
      valid: 'Sound: the bytes are as they were signed',
      invalid: 'There, but not sound',
      none: 'None in the file',
      unscanned: 'Not examined yet',
      signer: 'Signer',
      trust: {
        trusted: 'The signer is on the list “{list}” of {date}',
        untrusted: 'The signer is not on the list “{list}” of {date}',
        unknown: 'Whether the signer is trusted was not looked up: this service has no list',
        none: 'No signer to look up',
      },
      uhash: 'SHA-256 of the file',
      phash: 'Code of the picture (ISCC)',
      meaning:
        'Sound content credentials say that nobody altered the file since it was signed. They do not say that the picture is true.',
    },
    nft: { title: 'On a blockchain', token: 'Token', transaction: 'Transaction', explorer: 'Explorer' },
    minimal: {
      title: 'Image certificate',
      text: 'This image is certified for the sites below. The whole certificate, with its proof, stands one step further.',
      full: 'Show the whole certificate',
      domains: 'Certified for',
      proven: 'The shop has proven that it controls the site.',
      unproven: 'The shop has not proven yet that it controls the site.',
    },
    dates: { issued: 'Issued', updated: 'Last change' },
  },
  verify: {
    title: 'Verify a certificate or an image',
    lead: 'Paste what you have, or drop a file. Everything is judged in your browser: nothing is uploaded, and it works without a network.',
    drop: {
      label: 'Certificate, proof, page source or keys',
      hint: 'A certificate (JSON), a proof (three parts with dots), the HTML of a page, or a data: address.',
      open: 'Open files',
      orDrop: 'or drop them anywhere on this page: .html, .mhtml, .json, or an image',
      over: 'Let go to judge it here',
      clear: 'Start over',
    },
    given: {
      title: 'What you gave',
      product: 'Certificate of a product',
      asset: 'Certificate of an image',
      image: 'Certificate of an image, by its number',
      proof: {
        product: 'Proof of a product, without its document',
        asset: 'Proof of an image, without its document',
        image: 'Proof of an image by its number, without its document',
      },
      page: 'Saved page',
      picture: 'Image, {size}',
      remove: 'Remove {what}',
    },
    nothing: {
      empty: 'There is nothing in it.',
      json_broken:
        'This begins like a certificate, but is no complete JSON. Copy it whole, from the first brace to the last.',
      data_url_broken: 'This data: address is cut off or broken.',
      too_large: 'This is larger than 20 MB, more than is judged here.',
      unknown: 'This is no certificate, proof, page or image that can be judged here.',
      address:
        'An address cannot be opened here: this page asks nobody. Save the page and drop the file, or check it online.',
      checkOnline: 'Check {url} online',
    },
    place: {
      title: 'Where was it?',
      pageUrl: 'Address of the page',
      why: 'A certificate holds on one page only. Without the address nobody can tell a copy from the original; take it from the address bar, not from the file.',
      whyPage: 'A saved page does not prove where it was. Take the address from where you saw it.',
      savedFrom: 'The file itself names this address. Is it where you saw the page?',
      invalid: 'This is no web address: it begins with https:// or http://.',
      more: 'Is it about a certain product?',
      productId: 'Identifier of the product at the issuer',
      whyProduct: 'Only if you know it: then the certificate must be of that product.',
      needed: 'Give the address of the page, and it will be judged.',
    },
    judging: 'Judging…',
    failed: 'It could not be judged: {why}',
    result: {
      document: {
        trusted: {
          title: 'Genuine, and issued for this place',
          meaning: 'Signature, content, dates and the address that you gave agree.',
        },
        verified: {
          title: 'Issued for this shop and this page',
          meaning: 'Signature, content, dates, site, page and product agree.',
        },
        untrusted: {
          title: 'The certificate does not hold',
          meaning: 'At least one check failed; below stands which, and why.',
        },
        undetermined: {
          title: 'Genuine so far; not compared with a page',
          meaning:
            'What could be checked holds. Give the address of the page where it was seen to know whether it belongs there.',
        },
        unsigned: {
          title: 'There is nothing signed in it',
          meaning: 'Without a proof nothing can be said. That is no sign of fraud.',
        },
        image: {
          title: 'Genuine, and issued for these bytes',
          meaning: 'The image is the certified one, and its content credentials are sound.',
        },
      },
      profiles: {
        title: 'How far it can be relied on',
        names: { minimal: 'Minimal', standard: 'Standard', full: 'Full' },
        about: {
          minimal: 'Proof and site',
          standard: 'also page or product',
          full: 'also the bytes of the image',
        },
        states: { trusted: 'trusted', untrusted: 'not trusted', undetermined: 'could not be told' },
      },
      by: 'Judged by {verifier} in this browser, on {when}.',
      registry:
        'What only the registry knows is not said here: whether the shop still exists, or a site has changed hands.',
      warnings: 'Notes',
    },
    picture: {
      title: 'The image',
      loading: 'Loading the reader of content credentials: {done} of about {total}',
      reading: 'Reading the image…',
      progress: 'Loading',
      tones: {
        valid: {
          title: 'The content credentials are sound',
          meaning:
            'Nobody altered this file since it was signed. That does not say that the picture is true.',
        },
        invalid: {
          title: 'The content credentials do not hold',
          meaning: 'The file was altered after it was signed, or its signature is broken.',
        },
        none: {
          title: 'No content credentials',
          meaning: 'Most images carry none. That is no sign of fraud.',
        },
      },
      signer: 'Signed by',
      noSigner: 'not named',
      trust: 'Whether the signer is trusted is not looked up here: this page carries no list of signers.',
      generator: 'Made with',
      time: 'Signed on',
      titleOf: 'Title',
      actions: 'What was done to it',
      ingredients: 'Made from',
      failures: 'What is wrong',
      format: 'Format',
      size: 'Size',
      sizeValue: '{width} × {height} pixels',
      uhash: 'SHA-256',
      phash: 'Code of the picture (ISCC)',
      add: 'To compare it with its certificate, add the certificate of the image above.',
      compared: 'Compared with the certificate above.',
      faults: {
        not_an_image: 'The bytes are no JPEG, PNG, WebP, AVIF, HEIC or GIF.',
        cut_off: 'The file begins as an image, but breaks off.',
        too_large: 'The file is over 20 MB.',
        too_many_pixels: 'The image has more than 100 megapixels.',
        undecodable: 'The file is not sound enough to be opened.',
        timed_out: 'Opening the image took too long.',
        worker_died: 'Opening the image took too much memory, or crashed.',
        overloaded: 'Too many images are waiting.',
        closed: 'No images are opened any more.',
        engine:
          'The reader of content credentials could not be loaded. Without a network it works once it was loaded before.',
      },
    },
    keys: {
      title: 'Whose certificates are trusted',
      own: 'This service, {issuer}',
      asOf: { one: '{count} key of {when}.', other: '{count} keys of {when}.' },
      late: 'Revocations after that are not known here.',
      missing: 'The public keys of this service are not here: connect to the network once, then try again.',
      again: 'Fetch the keys anew',
      others: 'Other issuers',
      othersIntro:
        'To judge certificates of another service, paste its public keys (JWKS) and name its base address. You vouch for both.',
      issuer: 'Base address of the issuer',
      jwks: 'Its keys (JWKS)',
      add: 'Trust this issuer here',
      remove: 'Trust {issuer} no more',
      pasted: 'pasted on {when}',
      badIssuer: 'The base address is a web address such as https://certificates.example.',
      badKeys: 'These are no keys: a JWKS is JSON with the member "keys".',
      found: 'These are public keys. Name the issuer that they belong to, below.',
    },
    offline: {
      title: 'Without a network',
      ready: 'This page is kept in your browser and works without a network.',
      preparing: 'This page is being kept for use without a network…',
      none: 'This browser keeps no pages; with a network everything works.',
      engineKept: 'The reader of images is kept, too.',
      engine: 'Keep the reader of images, too ({size})',
      engineLoading: 'Loading the reader of images…',
      install: 'Install as an app',
      update: 'A newer version of this page is here.',
      useNow: 'Use it now',
    },
    insecure:
      'Browsers verify signatures only on pages that are served over https or by this machine. Open this page by its https address.',
  },
  /** Why there is no verdict at all. */
  cannotVerify: {
    ...CANNOT_VERIFY,
    insecure_page: 'Browsers verify signatures only on pages that are served over https or by this machine.',
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
