import type { IssuerKeys } from '@touchstone/certificate';
import { hostOf } from '@touchstone/certificate/verify';

/** An issuer that the user trusts, with pasted keys. */
export interface OtherIssuer extends IssuerKeys {
  readonly issuer: string;
  readonly count: number;
  /** RFC 3339. */
  readonly pastedAt: string;
}

const STORED = 'touchstone.issuers';

/** Why pasted text names no issuer with keys. */
export type IssuerFault = 'badIssuer' | 'badKeys';

/** @param jwks - parsed JSON, or its text */
export function otherIssuerOf(address: string, jwks: unknown, now: Date): OtherIssuer | IssuerFault {
  const issuer = address.trim().replace(/\/+$/, '');
  if (!/^https?:\/\//i.test(issuer) || hostOf(issuer) === null) return 'badIssuer';
  const set = (typeof jwks === 'string' ? parsed(jwks) : jwks) as { keys?: unknown } | null;
  if (!Array.isArray(set?.keys) || set.keys.length === 0) return 'badKeys';
  const count = set.keys.length;
  return { issuer, issuers: [issuer], jwks: set, count, pastedAt: now.toISOString() };
}

/** The issuers of earlier visits; empty if the browser stores nothing, or invalid data. */
export function loadIssuers(): OtherIssuer[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(STORED) ?? '[]');
    if (!Array.isArray(stored)) return [];
    return stored.flatMap(({ issuer, jwks, pastedAt }) => {
      const read = otherIssuerOf(String(issuer), jwks, new Date(pastedAt));
      return typeof read === 'string' ? [] : [read];
    });
  } catch {
    return [];
  }
}

export function storeIssuers(issuers: readonly OtherIssuer[]): void {
  try {
    const kept = issuers.map(({ issuer, jwks, pastedAt }) => ({ issuer, jwks, pastedAt }));
    localStorage.setItem(STORED, JSON.stringify(kept));
  } catch {
    // they apply to this visit only
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
