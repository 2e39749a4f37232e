/** An entity tag of a page with a certificate names both: the page's own, and the end of the proof's signature. */
const OURS = /^W\/"(.*)\.ts([01])-([\w-]{22})"$/;
const ANY = /(?:W\/)?"[^"]*"/g;

/** What tells a proof from all others: 132 bits of its signature. */
export function proofTag(jwt: string): string {
  return jwt.slice(-22).padStart(22, '0');
}

/** The tag of a page with a certificate; `null` for a page without a tag. */
export function pageTag(own: string | null, proof: string): string | null {
  const [, weak, text] = /^(W\/)?"([^"]*)"$/.exec(own ?? '') ?? [];
  return text === undefined ? null : `W/"${text}.ts${weak === undefined ? 1 : 0}-${proof}"`;
}

/** What `If-None-Match` says of pages with certificates. */
export interface Condition {
  /** As the origin may be asked. */
  readonly forOrigin: string;
  /** Tags of ours by the page's own, as the client sent them. */
  readonly proofs: readonly string[];
}

/** @returns `null` where there is no such condition */
export function readCondition(header: string | null): Condition | null {
  const tags = header?.match(ANY) ?? null;
  if (tags === null) return null;
  const proofs: string[] = [];
  const own = tags.map((tag) => {
    const [, text, strong, proof] = OURS.exec(tag) ?? [];
    if (text === undefined || proof === undefined) return tag;
    proofs.push(proof);
    return strong === '1' ? `"${text}"` : `W/"${text}"`;
  });
  return { forOrigin: own.join(', '), proofs };
}
