import { readItem } from '@touchstone/catalogue';
import { hostOf, MAX_PAGE_URL } from '@touchstone/certificate/binding';
import { verifyItemBy } from '@touchstone/certificate/item';
import type { Core } from '../../core/core.ts';
import type { VerifyItem } from '../../core/verification/item-verifier.ts';
import { ServiceError } from '../../platform/errors.ts';

/** What it needs of the core. */
type Ports = Pick<Core, 'certificates' | 'verifyCarried'>;

/** Verifies items against the registry as it is now. */
export function createVerifyItem({ certificates, verifyCarried }: Ports): VerifyItem {
  const find = async (pageUrl: string): Promise<unknown> => {
    if (pageUrl.length > MAX_PAGE_URL || hostOf(pageUrl) === null) return undefined;
    try {
      return JSON.parse(String((await certificates.findCertificate(pageUrl)).document.body));
    } catch (error) {
      if (error instanceof ServiceError && NOT_FOUND.has(error.code)) return undefined;
      throw error;
    }
  };
  return async (value, source) => {
    const item = readItem(value, { source });
    if (item === null) throw new ServiceError('item_unreadable');
    const verify = (document: unknown, pageUrl: string) => verifyCarried({ document, pageUrl });
    return verifyItemBy(item, { verify, find, source });
  };
}

/** No certificate of the page counts: it has none, or nobody has proven that it is theirs. */
const NOT_FOUND: ReadonlySet<string> = new Set(['page_uncertified', 'page_claimed_twice']);
