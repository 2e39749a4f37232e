import { encodeBase64url } from '@touchstone/certificate/issue';

/** An entity tag of a page with a certificate names both: the page's own, and the hash of the block that is put in. */
const OURS = /^W\/"(.*)\.ts([01])-([\w-]{22})"$/;
const ANY = /(?:W\/)?"[^"]*"/g;

/**
 * What tells a block from all others, 132 bits of its hash: with the same certificate it is another one once the badge is
 * switched on, or the shop's own node is named.
 */
export async function blockTag(script: string): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(script));
  return encodeBase64url(new Uint8Array(hash)).slice(0, 22);
}

/** The tag of a page with a certificate; `null` for a page without a tag. */
export function pageTag(own: string | null, block: string): string | null {
  const [, weak, text] = /^(W\/)?"([^"]*)"$/.exec(own ?? '') ?? [];
  return text === undefined ? null : `W/"${text}.ts${weak === undefined ? 1 : 0}-${block}"`;
}

/** What `If-None-Match` says of pages with certificates. */
export interface Condition {
  /** As the origin may be asked. */
  readonly forOrigin: string;
  /** Of the blocks in the pages that the client has. */
  readonly blocks: readonly string[];
}

/** @returns `null` where there is no such condition */
export function readCondition(header: string | null): Condition | null {
  const tags = header?.match(ANY) ?? null;
  if (tags === null) return null;
  const blocks: string[] = [];
  const own = tags.map((tag) => {
    const [, text, strong, block] = OURS.exec(tag) ?? [];
    if (text === undefined || block === undefined) return tag;
    blocks.push(block);
    return strong === '1' ? `"${text}"` : `W/"${text}"`;
  });
  return { forOrigin: own.join(', '), blocks };
}
