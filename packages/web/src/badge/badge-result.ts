/** What a badge can show. `idle`: nothing was asked yet. */
export type BadgeState =
  | 'checking'
  | 'verified'
  | 'site'
  | 'page'
  | 'expired'
  | 'invalid'
  | 'none'
  | 'unknown';

/** What came of a check, as far as a badge tells it. Texts are hostile. */
export interface BadgeResult {
  readonly state: BadgeState;
  /** What stands below the state; a name of the text catalogue. */
  readonly detail: BadgeDetail;
  /** The site that the certificate was signed for. */
  readonly domain?: string;
  /** The product that was signed. */
  readonly product?: string;
  /** RFC 3339. */
  readonly expiresAt?: string;
  /** How many certificates the page carries. */
  readonly certificates?: number;
}

export type BadgeDetail =
  | 'wait'
  | 'forDomain'
  | 'forProduct'
  | 'otherPage'
  | 'expiredOn'
  | 'altered'
  | 'nothing'
  | 'offline'
  | 'clock'
  | 'elsewhere'
  | 'noSite';

/** The page as it is now. */
export interface PageNow {
  /** The real address: no link, attribute or base of the document has a say in it. */
  readonly address: string;
  /** Texts of its JSON-LD blocks; the same array as long as they are the same. */
  readonly blocks: readonly string[];
}

/** Which certificate a badge is about. */
export interface Choice {
  /** The product's id, the service's or the shop's own; empty for any. */
  readonly product: string;
  /** Address of the product's page where the badge stands on a list; else empty. */
  readonly for: string;
}

/** Judges the page for one badge; never rejects. */
export type Judge = (page: PageNow, choice: Choice) => Promise<BadgeResult>;
