import type { Trust } from '@touchstone/certificate';
import { readFacts } from '@touchstone/facts';
import type { Hashes } from '@touchstone/image';
import { createLookalikes } from '@touchstone/lookalikes';
import { type HtmlVerification, verifyFromHtml } from '@touchstone/page';
import { adviceOnLikeness } from '../../../packages/mcp/src/advice.ts';
import {
  type FindPicturesOptions,
  type FoundPictures,
  findPictures,
} from '../../../packages/server/src/parts/picture-matches/find-pictures.ts';
import { tellPictures } from '../../../packages/server/src/parts/picture-matches/tell-pictures.ts';
import type { Offer } from './offers.ts';
import { pageOf } from './page.ts';

/** A page that was read and looked for, whoever has certified. */
export interface LookedUp {
  readonly offer: Offer;
  /** Its shop photographs its goods itself. */
  readonly areOwn: boolean;
  readonly report: HtmlVerification;
  /** As the page states them. */
  readonly addresses: readonly string[];
  readonly found: FoundPictures;
}

/** What is told of it. */
export interface Told extends Pick<ReturnType<typeof tellPictures>, 'matches' | 'findings' | 'originals'> {
  readonly page: LookedUp;
  /** Hosts that its name resembles. */
  readonly resembled: readonly string[];
  /** What an agent is advised besides. */
  readonly advice: string;
}

/** Pictures of a page that are looked for. */
const MOST = 12;

export interface LookUpOptions {
  readonly areOwn: boolean;
  /** How its shop states products. */
  readonly template: number;
  readonly trust: Trust;
  readonly options: FindPicturesOptions;
}

/** Reads the page of an offer, and looks for its pictures among all certified ones. */
export async function lookUp(
  offer: Offer,
  pictures: ReadonlyMap<string, Hashes>,
  { areOwn, template, trust, options }: LookUpOptions,
): Promise<LookedUp> {
  const html = pageOf(offer, [...pictures.keys()], template);
  const report = await verifyFromHtml(html, { pageUrl: offer.url, trust, readFacts, now: new Date() });
  const addresses = [...new Set(report.facts.images.map(({ value }) => value))].slice(0, MOST);
  const read = addresses.map((address) => {
    const { uhash, frameCode, appearance } = pictures.get(address) ?? { uhash: '' };
    return frameCode === undefined || appearance === undefined ? null : { uhash, frameCode, appearance };
  });
  const hosts = [offer.host, `www.${offer.host}`, offer.host.replace(/^www\./, '')];
  return { offer, areOwn, report, addresses, found: await findPictures(read, hosts, options) };
}

/** What is told if only these merchants have certified, or if they have marked their pictures as those of the makers. */
export function tell(
  page: LookedUp,
  merchants: ReadonlyMap<string, string>,
  { areMakers }: { readonly areMakers: boolean },
): Told {
  const { offer, report, addresses } = page;
  const found = page.found.found
    .filter(({ merchantId }) => merchants.has(merchantId))
    .map((each) => ({ ...each, isMakers: areMakers }));
  const stated = { name: report.facts.name?.value, sku: report.facts.sku?.value };
  const told = tellPictures({ addresses, leftOut: false, stated }, { ...page.found, found });
  const resembled = createLookalikes(merchants.values())
    .find(offer.host)
    .map(({ host }) => host);
  const pictured = told.matches.map(({ host }) => host);
  return { ...told, page, resembled, advice: adviceOnLikeness(resembled, pictured) ?? '' };
}
