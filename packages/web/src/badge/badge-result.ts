import type { ConclusionLevel } from '@touchstone/certificate';

/** What a badge can show. `idle`: not checked yet. */
export type BadgeState =
  | 'checking'
  | 'verified'
  /** Signed for this page, but not known to be of whoever runs the site, or of the product that the page shows. */
  | 'signed'
  /** Nobody had shown who runs the site. */
  | 'unproven'
  /** The page names another product than the signed one. */
  | 'differs'
  /** Taken back for good. */
  | 'withdrawn'
  /** Not published at the moment. */
  | 'suspended'
  /** The signed page, with a parameter in its address that was not signed. */
  | 'address'
  /** The certificate of the page that a list links to. */
  | 'listed'
  /** Verified, but shown inside another page. */
  | 'framed'
  | 'site'
  | 'page'
  | 'expired'
  | 'invalid'
  | 'unsigned'
  | 'none'
  | 'unknown';

/** The result of a check, as far as a badge shows it. Its texts are untrusted. */
export interface BadgeResult {
  readonly state: BadgeState;
  /** Of the conclusion: its colour. Absent: nothing was concluded. */
  readonly level?: ConclusionLevel;
  /** The line below the state, by its name in the text catalogue. */
  readonly detail: BadgeDetail;
  /** The site that the certificate was signed for. */
  readonly domain?: string;
  /** Name of the signed product. */
  readonly product?: string;
  /** Why a certificate that is signed for this page is not called verified: a name in the text catalogue. */
  readonly why?: BadgeWhy;
  /** RFC 3339. */
  readonly expiresAt?: string;
  /** Number of certificates on the page. */
  readonly certificates?: number;
  /** Target of the link, if not the service's check of the page. */
  readonly href?: string;
}

export type BadgeWhy = 'control' | 'page' | 'withdrawn' | 'suspended';

export type BadgeDetail =
  | 'wait'
  | 'forDomain'
  | 'forProduct'
  | 'otherPage'
  | 'expiredOn'
  | 'altered'
  | 'failed'
  | 'removed'
  | 'hidden'
  | 'incomplete'
  | 'unsigned'
  | 'nothing'
  | 'offline'
  | 'clock'
  | 'elsewhere'
  | 'noSite'
  | 'inSite'
  | 'inPage'
  | 'insecure'
  | 'context';

/** The current state of the page. */
export interface PageNow {
  /** The address in the browser; links, attributes and the base of the document are ignored. */
  readonly address: string;
  /** Texts of its JSON-LD blocks; the same array while they are unchanged. */
  readonly blocks: readonly string[];
  /** What else it calls itself; the same array while that is unchanged. */
  readonly names: readonly PageName[];
}

/** A name that a page states outside of its JSON-LD. */
export interface PageName {
  readonly source: 'h1' | 'title' | 'og';
  readonly value: string;
}

/** The certificate that a badge refers to. */
export interface Choice {
  /** The product's id, of the service or of the shop; empty: any product. */
  readonly product: string;
  /** Address of the product's page, if the badge is on a list; otherwise empty. Only that page itself is ever `verified`. */
  readonly for: string;
}

/** Checks the page for one badge; never rejects. */
export type Judge = (page: PageNow, choice: Choice) => Promise<BadgeResult>;
