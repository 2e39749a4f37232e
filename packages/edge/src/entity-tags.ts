import { encodeBase64url } from '@touchstone/certificate/issue';

/** The entity tag of a page with a certificate combines the page's own tag with the hash of the inserted block. */
const OURS = /^W\/"(.*)\.ts([01])-([\w-]{22})"$/;
const ANY = /(?:W\/)?"[^"]*"/g;

/**
 * 132 bits of a block's hash. Not the certificate's ETag: the block also depends on whether it loads the badge, and on the `@id`
 * of the shop's own node.
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

/** `If-None-Match`, with the entity tags of pages with certificates split into their parts. */
export interface Condition {
  /** The header for the origin, with its own tags. */
  readonly forOrigin: string;
  /** Tags of the blocks in the pages that the client has. */
  readonly blocks: readonly string[];
}

/** @returns `null` if there is no such header */
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
