/**
 * The contract as data: every rule of the service's specification, by its sections, in our own short words.
 *
 * Scenarios (`test/scenarios`) and vectors (`test/vectors`) cite these ids; `requirements.test.ts` fails on a
 * rule that none cites, on a citation of no rule, and on a mark `later` that has become stale.
 *
 * - `must`: the specification says so.
 * - `boundary`: what the service must not claim or do.
 * - `open`: the specification leaves it open; `decision` is the number of the record in docs/decisions that
 *   settles it (0 where there is nothing to settle: the service offers none).
 */
export interface Requirement {
  readonly id: string;
  readonly section: string;
  readonly rule: string;
  readonly level: 'must' | 'boundary' | 'open';
  readonly decision?: number;
  /** Built by a later issue; until then no scenario may cite it. */
  readonly later?: { readonly issue: 'agents'; readonly why: string };
}

type Later = NonNullable<Requirement['later']>;
type Row = Omit<Requirement, 'section'>;

const must = (id: string, rule: string, later?: Later): Row => row({ id, rule, level: 'must' }, later);
const boundary = (id: string, rule: string, later?: Later): Row =>
  row({ id, rule, level: 'boundary' }, later);
const open = (id: string, decision: number, rule: string, later?: Later): Row =>
  row({ id, rule, level: 'open', decision }, later);

function row(rule: Row, later: Later | undefined): Row {
  return later === undefined ? rule : { ...rule, later };
}

const SECTIONS: Readonly<Record<string, readonly Row[]>> = {
  'What the service does': [
    must('CAP-PRODUCT', 'serves a certificate for a product'),
    must('CAP-ASSET', 'serves a certificate for an image of a product'),
    must('CAP-IMAGE', 'serves an image-keyed certificate, minimal and full'),
    must('CAP-JWKS', 'publishes the key set that proofs verify with, offline'),
    must('CAP-VERIFY', 'verifies domain, page and product binding to a verdict with one result per check'),
    must('CAP-VERIFY-FIELD', 'verifies the binding of a named field'),
    must('CAP-PAGE', 'fetches a public page, reads its commercial facts and judges its certificate'),
    must('CAP-TOOL', 'offers the same verification as a tool'),
    boundary('BOUND-C2PA', 'certificateConsistency says nothing about C2PA'),
    boundary(
      'BOUND-NO-AUTHENTICITY',
      'a certificate names who published it where; it claims no authenticity',
    ),
    boundary('BOUND-NO-SCORE', 'coverage is told by counts and a ratio, never by a score of our own'),
    boundary('BOUND-NO-NAME', 'a product certificate carries neither name nor description'),
  ],
  Resources: [
    must('ID-UUID', 'products, assets and images are identified by UUIDs'),
    must('WIRE-JSON', 'every document is JSON; certificates are JSON-LD'),
  ],
  'Product certificate': [
    must('PC-CONTEXT', '@context: the schema.org context and an object that declares the prefix, always'),
    must('PC-TYPE', '@type is Product, always'),
    must('PC-PRODUCTID', 'productID is a string, always'),
    must('PC-URL', 'url is the address of the product page, always'),
    must('PC-ISSUEDFOR', 'svc:issuedFor holds domain and productID, always'),
    must('PC-STATUS', 'svc:status holds the canonicalSource, always'),
    must('PC-RECORD', 'svc:record names recordUrlMethod when the product is active'),
    must('PC-IMAGES', 'svc:images: ImageObject entries, each with a certification, when active only'),
    must('PC-ADDITIONAL', 'additionalProperty: PropertyValue entries when active'),
    must(
      'PC-TRUST',
      'svc:trust: integer certifiedAssets and totalAssets and a coveragePercent, when active only',
    ),
    must(
      'PC-VERIFICATION',
      'verification: canonicalSource, verifyEndpoint, hasSignature, mcp.tool, when active only',
    ),
    must('PC-PROOF', 'proof: type JsonWebSignature2020, algorithm RS256 and the jwt, when active only'),
    must('PC-ENTRYPOINT', 'an EntryPoint has its @type, description, url and httpMethod (GET)'),
    must('PC-WEBAPI', 'verifyEndpoint is a WebAPI with name, description, POST and the verify address'),
    must('PC-TOOL', 'mcp.tool names the verification tool'),
    must('PC-R1-PERCENT', 'coveragePercent is certifiedAssets over totalAssets, as a percent'),
    must('PC-R1-SIGNED', 'the three coverage values are signed too'),
    must('PC-R2-KEYS', 'a product that is not active answers six keys and no other'),
    must('PC-R2-ABSENT', 'what is left out is absent, never null'),
    open('PC-R3-RECORD', 3, 'what else svc:record holds'),
    open('PC-R3-IMAGES', 3, 'what else an entry of svc:images holds'),
    open('PC-R3-ADDITIONAL', 3, 'which properties are listed'),
    open('PC-PRODUCTID-WHOSE', 2, 'productID is the identifier of the service, not of the merchant'),
    open('PC-PERCENT-PRECISION', 4, 'coveragePercent has two decimals, and none of none is 0'),
  ],
  'Asset certificate': [
    must('AC-CONTEXT', '@context: schema.org and the prefix'),
    must('AC-TYPE', '@type is ImageObject'),
    must(
      'AC-CONTENTURL',
      'contentUrl is the same text as in the product certificate, so the two can be merged',
    ),
    must('AC-ENCODING', 'encodingFormat where it is known'),
    must('AC-SIZE', 'width and height are integers where they are known'),
    must('AC-UPLOADDATE', 'uploadDate where it is known'),
    must('AC-ISSUEDFOR', 'svc:issuedFor with assetId, and domain, mediaID, productID, url where known'),
    must('AC-STATUS', 'svc:status with the canonicalSource and its url'),
    must('AC-CREDENTIALS', 'svc:contentCredentials: hasC2PA, hasManifest, hashes of both kinds'),
    must('AC-NFT', 'svc:nft only where one is recorded'),
    must(
      'AC-VERIFICATION',
      'verification: canonicalUrl, canonicalSource, hasSignature, hasBlockchain, and a summary',
    ),
    must('AC-TRUSTANCHOR', 'verification.trustAnchor tells type, status and trustedDomains'),
    must('AC-PROOF', 'proof: type, jwt, verificationMethod, proofPurpose, algorithm, all of them'),
    must('AC-IDENTITY', 'of a product that is not active: no credentials, nft, verification or proof'),
    open(
      'AC-PROOF-VALUES',
      4,
      'what verificationMethod and proofPurpose say, and what an identity-only asset keeps',
    ),
    open('AC-ID', 2, 'assetId is stable per product and image address'),
  ],
  'Proof JWT': [
    must('PROOF-RS256', 'the proof is a JWT signed with RS256'),
    must('PROOF-KID', 'its header carries a kid that the key set knows'),
    must('PROOF-EXP-7D', 'it expires 7 days after it was issued'),
    must('PROOF-ISS', 'iss: base address of the issuing API'),
    must('PROOF-IAT', 'iat: when it was issued'),
    must('PROOF-EXP', 'exp: iat plus 7 days'),
    must('PROOF-DOMAIN', 'domain: the hostname it is authorised for'),
    must('PROOF-URL', 'url: the page it was issued for'),
    must('PROOF-PRODUCTID', 'productId: identifier of the service'),
    must('PROOF-EXTERNALID', 'externalProductId: identifier of the merchant'),
    must('PROOF-NAME', 'productName: name at issuance'),
    must('PROOF-STORE', 'storeName and storeUrl: the merchant at issuance'),
    must('PROOF-CERTIFIED', 'certifiedAssets: images with a C2PA certification'),
    must('PROOF-TOTAL', 'totalAssets: images of the product'),
    must('PROOF-PERCENT', 'coveragePercent: the one over the other'),
    open('PROOF-KINDS', 5, 'three kinds of proof, told apart by typ; one never stands for another'),
  ],
  JWKS: [
    must('JWKS-SHAPE', 'keys: kty RSA, use sig, alg RS256, kid, n and e, and nothing private'),
    open('JWKS-LIFE', 22, 'when a key is published before and kept after its use'),
  ],
  'Image-keyed certificate': [
    must('IMG-MINIMAL', 'minimal: context, DigitalDocument, imageId and verification'),
    must('IMG-MINIMAL-OMITS', 'minimal may leave out what an audit needs'),
    must('IMG-FULL', 'full: context list, MediaObject, proof, contentCredentials, cryptographicProof'),
    open('IMG-OTHER', 19, 'its other fields'),
  ],
  'Verification result (product-keyed)': [
    must('VR-STATUS', 'status is verified, failed or unverified'),
    must('VR-PRODUCTID', 'productId is the product of the path'),
    must('VR-ISSUEDFOR', 'issuedFor is a domain, where there is one'),
    must('VR-CHECKS', 'checks holds all nine names, each true, false or null'),
    must('VR-WARNINGS', 'warnings is a list of text'),
    must('VR-ERRORS', 'errors is a list of text'),
    must('CHECK-NULL', 'null: the check did not run for this request'),
    must('CHECK-FALSE', 'false: the check ran and failed'),
    must('CHECK-SKIPPED', 'a check that did not run is never a failure'),
    open(
      'VR-DETAILS',
      6,
      'why a check answered what it did; the form of warnings and errors; whose issuedFor',
    ),
  ],
  'Verification result (image-keyed)': [
    must('IVR-SHAPE', 'verified, imageId, both domains, two checks, warnings, errors'),
    must('IVR-FIELD', 'a field check may leave the two domains out'),
  ],
  'Page check report': [
    must('PAGE-ID', 'id is a UUID'),
    must('PAGE-URL', 'url is the address that was asked for'),
    must('PAGE-FINAL-URL', 'final_url is the address after redirects'),
    must('PAGE-FETCHED-AT', 'fetched_at is a date and time'),
    must('PAGE-PLATFORM', 'platform_detected is one of two platforms or custom'),
    open('PAGE-PLATFORM-NAMES', 1, 'which platforms they are'),
    must('PAGE-VERDICT', 'verdict is one of the ten'),
    must('PAGE-MC4P', 'mc4p tells present, product_id, issued_to, status and checks'),
    open('PAGE-MC4P-NONE', 6, 'mc4p without a certificate'),
    must('PAGE-NOTES', 'findings, warnings and errors are lists of text'),
    must('FACT-SHAPE', 'a fact is value, source and field'),
    must('FACT-SOURCE', 'source is jsonld, meta or html'),
    must('FACT-KEYS', 'facts: name, description, price, currency, availability, sku, brand and images'),
    must('FACT-NULL', 'null: the page did not state it'),
    must('FACT-IMAGES', 'images is a list of facts'),
    must('FACT-WEIGHT', 'structured data outweighs what is scraped from markup'),
  ],
  'Submitted document': [
    must('SD-OPTIONAL', 'productID, url, svc:issuedFor and proof are each optional'),
    must('SD-JWT', 'a proof without its jwt is none'),
    must('SD-UNKNOWN', 'unknown keys are ignored'),
    open('SD-REPEATS', 10, 'what the document repeats must equal what was signed'),
  ],
  'Validation error body': [
    must('VE-SHAPE', 'detail: items with loc, msg and type, and input and ctx where they help'),
    open('VE-ALL', 7, 'all faults at once, by the type names of the field'),
  ],
  'States and transitions': [
    must('STATE-ACTIVE', 'active product: 200, the full certificate with proof'),
    must('STATE-HIDDEN', 'product whose visibility is off: 200, identity only'),
    must('STATE-CAPACITY', 'product beyond the plan: 200, identity only'),
    must('STATE-ASSET', 'authorised asset: 200, full asset certificate'),
    must('STATE-ASSET-NOT', 'asset of a product that is not active: 200, identity only'),
    must('STATE-UNKNOWN', 'unknown or never ingested product: 404'),
    must('STATE-DISABLED', 'disabled product: 404'),
    must('STATE-DELETED', 'deleted product: 404'),
    must('STATE-ASSET-UNKNOWN', 'unknown asset: 404'),
    must('STATE-ASSET-NONE', 'asset without a certificate: 404'),
    open('STATE-MOVES', 41, 'how a product moves between active and not active'),
    must('CLIENT-404', 'a reader takes 404 for: not served here'),
    must('CLIENT-IDENTITY', 'a reader takes 200 without proof for: known, publishes nothing now, no failure'),
    must('CLIENT-PROOF', 'a reader takes 200 with proof for: signed and verifiable'),
  ],
  'Verify verdicts': [
    must('VV-VERIFIED', 'verified: signed and all six load-bearing checks true'),
    must('VV-FAILED', 'failed: signed and at least one load-bearing check not true'),
    must('VV-UNVERIFIED', 'unverified: nothing signed was submitted'),
    must('CHECK-SIGNATURE', 'signatureValid: RS256 by a public key of the service; decides'),
    must('CHECK-INTEGRITY', 'certificateIntegrity: decodes, claims intact; decides'),
    must('CHECK-TIME', 'timestampValid: iat and exp in range; decides'),
    must('CHECK-DOMAIN', 'boundToDomain: signed domain is that of the page; decides'),
    must('CHECK-PRODUCT', 'productIdMatches: signed productId is that of the path; decides'),
    must('CHECK-URL', 'boundToUrl: signed url is that of the page; decides'),
    must('CHECK-KNOWN', 'domainKnown advises'),
    must('CHECK-VERIFIED', 'domainVerified advises'),
    must('CHECK-CURRENT', 'trustDataCurrent: signed counts are the current ones; advises'),
    must('VV-ADVISORY', 'advisory checks never change the verdict'),
    must('VV-NO-DOCUMENT', 'without a document only domain checks run'),
    open('EQ-HOST', 8, 'when two hosts are the same'),
    open('EQ-URL', 9, 'when two page addresses are the same'),
    open('INTACT', 10, 'what intact claims are'),
    open('IN-RANGE', 11, 'how far clocks may differ'),
    open('KNOWN-DOMAIN', 12, 'what domainKnown and domainVerified ask'),
    open('STRICT-JWS', 31, 'which texts are a proof at all, and which keys may check one'),
  ],
  'Page check verdicts': [
    must('PV-VERIFIED', 'verified: signed certificate, every check passed'),
    must('PV-UNVERIFIED', 'unverified: a product is named but nothing is signed'),
    must('PV-EXPIRED', 'certificate_expired: authentic but past its 7 days'),
    must('PV-CHECKS-FAILED', 'checks_failed: signed, and a check did not pass'),
    must('PV-NO-CERTIFICATE', 'no_certificate: no svc:issuedFor node on the page'),
    must('PV-INVALID', 'invalid_certificate: node there, canonicalSource unusable'),
    must('PV-MISMATCH', 'canonical_mismatch: canonicalSource on a host that is not allowed'),
    must('PV-DELETED', 'product_deleted: the named product is not in the registry'),
    must('PV-PASSWORD', 'password_protected: a storefront password gate'),
    must('PV-FETCH-FAILED', 'page_fetch_failed: blocked, timed out, too large or not 2xx'),
    must('PV-NOT-FAILURES', 'unverified and certificate_expired are no failures'),
    open('PV-CANDIDATES', 15, 'which nodes count, and what a usable canonicalSource is'),
    open('PV-COPIED-OLD', 16, 'a copied page never ages into something that is no failure'),
  ],
  'Endpoints: certificates': [
    must('EP-PREFIX', 'every path begins with /api/v1 under the base address'),
    must('EP-JSON', 'bodies are application/json both ways'),
    must('EP1-GET', 'GET products/{product_id}/certificate answers 200 with the certificate'),
    must('EP1-CACHE', 'its answer is public, max-age=86400'),
    must('EP1-404', '404 for an unknown or disabled product'),
    must('EP1-422', '422 validation body for a malformed product_id'),
    must('EP2-GET', 'GET assets/{asset_id}/certificate answers 200 with the certificate'),
    must('EP2-CACHE', 'its answer is public, max-age=86400'),
    must('EP2-404', '404 for an unknown asset or one without a certificate'),
    must('EP2-422', '422 validation body for a malformed asset_id'),
    open('EP2-NOT-IMAGE', 20, 'how an asset that is no image is refused'),
    open('EP-CONDITIONAL', 23, 'ETag, 304, HEAD and any origin on public GETs'),
  ],
  'Endpoints: verify': [
    must('EP3-POST', 'POST products/{product_id}/verify answers 200 with a verification result'),
    must('EP3-PRODUCTURL', 'productUrl is required; missing is 422'),
    must('EP3-422', '422 validation body for a malformed product_id'),
    must('VERIFY-1', 'document left out: domain checks only, signature checks null, unverified'),
    must('VERIFY-2', 'document with a proof: the signature checks run'),
    must('VERIFY-3', 'document without a proof: unverified'),
    must('VERIFY-4', 'document as a text that holds a node: read like the node'),
    must('VERIFY-5', 'document that is no single node: dropped, unverified, a warning says why, no 422'),
    must('VERIFY-6', 'the node is sent by itself; unknown keys are ignored'),
    must('VERIFY-7', 'exactly one of three verdicts'),
    open('VERIFY-ODD', 13, 'documents of any odd kind'),
    open('VERIFY-STATES', 14, 'verify for products that are absent or not active'),
  ],
  'Endpoints: page checks': [
    must('EP4-POST', 'POST page-checks answers 200 with a report'),
    must('EP4-URL', 'url is required; missing is 422'),
    must('EP4-FRESHNESS', 'freshness is cached or fresh, cached when left out, 422 otherwise'),
    must('EP4-CACHED', 'cached serves a recent observation'),
    must('EP4-FRESH', 'fresh fetches again'),
    must('EP4-429', '429 when the limit of fresh checks is reached'),
    open('EP4-OBSERVATION', 17, 'how old an observation may be; what is cached is never the verdict'),
  ],
  'Endpoints: JWKS': [
    must('EP5-GET', 'GET .well-known/jwks.json answers 200 with the key set'),
    must('EP5-CACHE', 'its answer can be cached'),
    open(
      'EP5-ERRORS',
      7,
      'what it answers when the keys cannot be read: trouble of ours, never a stale or empty set',
    ),
  ],
  'Endpoints: image-keyed': [
    must('EP6-MINIMAL', 'GET {image_id}/certificate: minimal; 404, 402, 500'),
    must('EP6-FULL', 'GET {image_id}/certificate?full=true: full; 404, 500'),
    must('EP6-VERIFY', 'POST {image_id}/verify with domain, and verifyField with fieldValue'),
    must('EP6-MODE-1', 'domain alone: domain and consistency'),
    must('EP6-MODE-2', 'verifyField productId: product binding'),
    must('EP6-MODE-3', 'another bound field: single-field binding'),
    open('EP6-MODE-4', 19, 'which fields may be asked for'),
    must('EP6-MODE-5', 'an unsupported field is 422; byte-level checks need the full certificate'),
  ],
  'Endpoints: companion tool server': [
    must('EP7-TOOL', 'the same verification at {mcp_url}/mcp'),
    open('EP7-SHAPE', 24, 'arguments and results of the tools'),
  ],
  Authentication: [
    must('AUTH-1', 'certificates of products and assets are public'),
    open('AUTH-2', 18, 'verify and page checks ask for no credential; who a caller is'),
    must('AUTH-3-KID', 'the key is selected by the kid of the header'),
    must('AUTH-3-ALG', 'no algorithm but RS256 is accepted'),
    must('AUTH-3-ISS', 'iss can be required to equal the issuing base address'),
    must('AUTH-4-DOMAIN', 'offline: the domain claim must equal the hostname of the page'),
    must('AUTH-4-URL', 'offline: the url claim must equal the address of the page'),
    must('AUTH-5-MINIMAL', 'profile Minimal: proof and domain'),
    must(
      'AUTH-5-STANDARD',
      'profile Standard: Minimal and the page and product binding; no sound proof, no trust',
    ),
    must('AUTH-5-FULL', 'profile Full: Standard and C2PA over the image bytes'),
    must(
      'AUTH-6',
      'offline needs the document, a key set and the context, and for Full the bytes; no call to us',
    ),
    open('AUTH-NO-FOLLOW', 25, 'nothing is fetched because a document or header says so'),
  ],
  Events: [open('EVENTS-NONE', 50, 'no events, callbacks or webhooks')],
  Errors: [
    must('ERR-IMG-400', 'image-keyed 400: invalid or incomplete payload'),
    must('ERR-IMG-402', 'image-keyed 402: paused by entitlement'),
    must('ERR-IMG-403', 'image-keyed 403: domain not authorised, context mismatch'),
    must('ERR-IMG-404', 'image-keyed 404: no certificate'),
    must('ERR-IMG-412', 'image-keyed 412: domain verification required'),
    must('ERR-IMG-422', 'image-keyed 422: context mismatch, invalid proof, unsupported field'),
    must('ERR-IMG-500', 'image-keyed 500: temporary failure'),
    open('ERR-IMG-MISMATCH', 19, 'context mismatch is named under 403 and 422'),
    must('ERR-404', 'product-keyed 404 for whatever is not served'),
    must('ERR-422', 'product-keyed 422 with the validation body'),
    must('ERR-429', '429 at the limit of fresh checks'),
    open('ERR-PAGE', 17, 'what a failed page check answers'),
    open('ERR-BODY', 7, 'shape of errors other than validation'),
    must('ERR-NOT-DOCUMENT', 'an unverifiable document is 200 unverified with a warning, never 422'),
    must('ERR-NOT-FETCH', 'trouble with fetching the page is a verdict, not an error'),
  ],
  Limits: [
    must('LIMIT-FRESH', '10 fresh checks per minute and caller, 429 beyond'),
    must('LIMIT-CACHE', 'certificates are cached for a day'),
    must('LIMIT-PROOF', 'proofs live 7 days'),
    must('CACHE-JWKS', 'the key set can be reused offline'),
    must('CACHE-CERTIFICATE', 'a certificate is the same within its window'),
    must('CACHE-NOT-PAST-EXP', 'a proof that a cache may still hold is not past its exp'),
    must('CACHE-DEFAULT', 'page checks are cached unless asked fresh'),
    open('LIMIT-SIZES', 13, 'size of requests and proofs'),
    open('LIMIT-PAGE', 17, 'size of pages'),
    open('LIMIT-FETCHES', 18, 'limits on other fetches'),
    open('PROOF-REUSE', 21, 'one proof per state, and how long one must still have'),
  ],
  Versioning: [
    must('VERSION-PATH', 'the version stands in the path'),
    must('VERSION-CONTEXT', 'the context is schema.org and the prefix'),
    open('VERSION-POLICY', 50, 'change policy: none is promised'),
  ],
};

export const REQUIREMENTS: readonly Requirement[] = Object.entries(SECTIONS).flatMap(([section, rows]) =>
  rows.map((rule) => ({ section, ...rule })),
);
