/** The claims of a proof, read without verification: to be shown as claims only. */
export interface ClaimedProof {
  readonly kid: string;
  readonly algorithm: string;
  readonly claims: Readonly<Record<string, unknown>>;
  /** Milliseconds since 1970, if the claim is a time. */
  readonly issuedAt?: number;
  readonly expiresAt?: number;
}

/** @returns `null` if it is not a compact JWS with two JSON objects */
export function readClaims(jwt: string): ClaimedProof | null {
  const [header, claims] = jwt.split('.').slice(0, 2).map(objectOf);
  if (header === undefined || claims === undefined) return null;
  const { iat, exp } = claims;
  return {
    kid: textOf(header.kid),
    algorithm: textOf(header.alg),
    claims,
    ...(isTime(iat) ? { issuedAt: iat * 1000 } : {}),
    ...(isTime(exp) ? { expiresAt: exp * 1000 } : {}),
  };
}

/**
 * Whether control of the site had been proven when it was signed, and when; absent in older proofs.
 *
 * @returns `at`: RFC 3339
 */
export function claimedControl({
  claims: { control },
}: ClaimedProof): { readonly isProven: boolean; readonly at?: string } | undefined {
  if (typeof control !== 'object' || control === null) return undefined;
  const { method, checkedAt } = control as Readonly<Record<string, unknown>>;
  const at = isTime(checkedAt) ? { at: new Date(checkedAt * 1000).toISOString() } : {};
  return { isProven: typeof method === 'string' && method !== 'none', ...at };
}

function objectOf(part: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const binary = atob(part.replaceAll('-', '+').replaceAll('_', '/'));
    const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return typeof value === 'object' && value !== null
      ? (value as Readonly<Record<string, unknown>>)
      : undefined;
  } catch {
    return undefined;
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function isTime(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && Math.abs(value) < 8e12;
}
