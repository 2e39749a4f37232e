import { isAboutAnotherPage, type VerificationResult } from '@touchstone/certificate';
import { PageCheckRequestSchema, type PageReport } from '@touchstone/certificate/schema';
import { hostOf, isUuid, WITHDRAWAL_REASONS, type Withdrawal } from '@touchstone/certificate/verify';
import type { PictureMatch, Site } from '@touchstone/contract';
import {
  CHECK_PAGE_TOOL,
  CHECK_SITE_TOOL,
  EXPLAIN_CODE_TOOL,
  GET_CERTIFICATE_TOOL,
  VERIFY_ITEMS_TOOL,
  VERIFY_TOOL,
} from '@touchstone/contract/tools';
import { checkValue } from '@touchstone/contract/validation';
import { ASK_WHICH, adviceOnLikeness } from './advice.ts';
import { describeVerdict } from './describe-verdict.ts';
import type { Explain } from './explanations.ts';
import { itemsAnswer } from './items-answer.ts';
import { runnable, type Tool, type ToolAnswer, type ToolContext } from './tool.ts';
import { toolError } from './tool-fault.ts';
import {
  agreementTexts,
  claimsQuoted,
  claimsTexts,
  cutReport,
  cutResult,
  factsQuoted,
  listQuoted,
  signedQuoted,
  signedTexts,
} from './untrusted.ts';

/** The implementation of each tool. */
export function createTools(explain: Explain): Tool[] {
  return [
    runnable(VERIFY_TOOL, async ({ productUrl, productId, document, receipt }, caller) => {
      const { use } = caller;
      // null is the same as absent
      if (productId === undefined && (document === undefined || document === null)) {
        assertPageAddress(productUrl);
        const { signal } = caller;
        const asked = { url: productUrl, freshness: 'cached', receipt, signal } as const;
        return pageAnswer(await use.checkPage(asked), explain);
      }
      const named = productId ?? productNamedBy(document);
      if (named === undefined) throw toolError('product_not_named');
      const result = await use.verifyProduct({ productId: named, pageUrl: productUrl, document, receipt });
      return resultAnswer(result, document, explain);
    }),
    runnable(CHECK_PAGE_TOOL, async (args, caller) => {
      const report = await caller.use.checkPage({ ...args, signal: caller.signal });
      return pageAnswer(
        report,
        explain,
        args.images === 'match' ? await picturesOf(report, caller) : undefined,
      );
    }),
    runnable(GET_CERTIFICATE_TOOL, async ({ productId, url }, { use }) => {
      if (productId !== undefined && url === undefined)
        return certificateAnswer(await use.getCertificate(productId));
      if (url !== undefined && productId === undefined)
        return certificateAnswer(await use.findCertificate(url));
      const msg = 'Give either productId or url';
      throw toolError('arguments_invalid', { detail: [{ loc: ['productId'], msg, type: 'value_error' }] });
    }),
    runnable(EXPLAIN_CODE_TOOL, async ({ code }) => {
      const explanation = explain(code);
      if (explanation === null) throw toolError('code_unknown');
      const { says, whatToDo } = explanation;
      return { data: explanation, say: [`${explanation.code}: ${says}\nWhat to do: ${whatToDo}`] };
    }),
    runnable(CHECK_SITE_TOOL, async (args, { use }) => {
      if (use.checkSite === undefined) throw toolError('tool_absent');
      const site = await use.checkSite(args);
      return { data: site, say: [siteText(site)] };
    }),
    runnable(VERIFY_ITEMS_TOOL, async ({ items, source }, { use, signal }) => {
      if (use.verifyItems === undefined) throw toolError('tool_absent');
      const verified = await use.verifyItems({ items, source: source ?? undefined, signal });
      return itemsAnswer(verified, explain);
    }),
  ];
}

/** What is known of a site, and what follows: a resemblance is no verdict. */
function siteText({ status, statement, resembles }: Site): string {
  const advice =
    status === 'proven'
      ? 'Check the page itself: a proven host says who runs it, not what a page of it sells.'
      : resembles === undefined
        ? 'That is neither good nor bad: most sites are not known here.'
        : ASK_WHICH;
  return `${statement}\nWhat to do: ${advice}`;
}

/** Validates as the other tool does: anything but a web address cannot be fetched. */
function assertPageAddress(productUrl: string): void {
  const checked = checkValue(PageCheckRequestSchema.shape.url, productUrl);
  if (checked.ok) return;
  const detail = checked.faults.map(({ msg, type }) => ({ loc: ['productUrl'], msg, type }));
  throw toolError('arguments_invalid', { detail });
}

/** Shops for which pictures of a page are certified, without addresses, which the page states. */
type Pictured = readonly Omit<PictureMatch, 'addresses'>[];

/** `undefined` if nobody knows: what is told besides fails no check. */
async function picturesOf({ id }: PageReport, { use, signal }: ToolContext): Promise<Pictured | undefined> {
  const told = await use.pagePictures?.({ id, signal }).catch(() => undefined);
  return told?.matches.map((match) => {
    const { addresses: _, ...rest } = match;
    return rest;
  });
}

/** Formats a page check report as a tool result. */
function pageAnswer(report: PageReport, explain: Explain, pictures?: Pictured): ToolAnswer {
  const data = { ...cutReport(report), ...(pictures === undefined ? {} : { pictures: [...pictures] }) };
  const { issued_to: issuedTo, product_id: productId, signed, withdrawal } = data.mc4p;
  const isElsewhere = isAboutAnotherPage(data);
  const about = [
    ...(issuedTo === undefined ? [] : [`Issued to: ${issuedTo}`]),
    ...(productId === undefined ? [] : [`Product: ${productId}`]),
    ...withdrawalTexts(withdrawal),
    ...signedTexts(signed),
    ...agreementTexts(data.agreement),
    ...claimsTexts(data),
    `Seen: ${data.fetched_at}`,
  ];
  const named = data.mc4p.list === undefined ? signedQuoted(signed) : listQuoted(data.mc4p);
  const stated = [...named, ...factsQuoted(data), ...claimsQuoted(data)];
  const landing = isElsewhere
    ? {
        landedOn: landingOf(report),
        quotations: [['landing address', data.final_url] as const, ...stated],
      }
    : { quotations: stated };
  const related = [...relatedTexts(data), ...(pictures ?? []).map(({ statement }) => statement)];
  const besides = adviceOnLikeness(
    (data.related ?? []).map(({ host }) => host),
    (pictures ?? []).map(({ host }) => host),
  );
  const told = data.mc4p.present ? { about: [...related, ...about] } : { first: related, about };
  return { data, say: describeVerdict({ ...data, ...landing, ...told, besides }, explain) };
}

/** The proven hosts that the host of the page resembles. */
function relatedTexts({ related = [] }: PageReport): string[] {
  return related.map(
    ({ host, provenSince }) =>
      `The host of the page resembles ${host}, which was proven by its owner (${provenSince}), and is none of its proven hosts.`,
  );
}

/** Whether the certificate has been withdrawn, and when nobody knows. */
function withdrawalTexts(withdrawal: Withdrawal | undefined): string[] {
  if (withdrawal === undefined) return [];
  const { status, reason } = withdrawal;
  return [`Withdrawal: ${status === null ? 'not known. ' : ''}${WITHDRAWAL_REASONS[reason]}`];
}

/** The landing page in our own words: of an address, only the host; the whole one is quoted. */
function landingOf({ url, final_url: finalUrl }: PageReport): string {
  const host = hostOf(finalUrl) ?? 'another host';
  return host === hostOf(url) ? `another page of ${host}` : `a page on ${host}`;
}

function certificateAnswer(text: string): ToolAnswer {
  const certificate = JSON.parse(text) as object;
  const what =
    'proof' in certificate
      ? 'The product publishes a signed certificate. It is valid only on the page that it names: verify it there.'
      : 'The product is known, but publishes no trust data at the moment. That is not a failure.';
  // also as text, for clients that pass only text to their model: it can then be given to the verify tool
  return { data: certificate, say: [what, text] };
}

/** The document's own `productID` (spec "Submitted document"); the integrity check compares it with the signed one. */
function productNamedBy(document: unknown): string | undefined {
  const node = typeof document === 'string' ? parsed(document) : document;
  if (typeof node !== 'object' || node === null || !('productID' in node)) return undefined;
  return isUuid(node.productID) ? node.productID : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The caller named a product without a document, so the page was not fetched. */
const NOTHING_GIVEN =
  'No document was given, so nothing signed was checked. Omit productId to have the page fetched and its certificate verified, or give the document.';

function resultAnswer(result: VerificationResult, document: unknown, explain: Explain): ToolAnswer {
  const data = cutResult(result);
  const { status: verdict, conclusion, errors, warnings, issuedFor, signed, withdrawal } = data;
  const issued = issuedFor === undefined ? [] : [`Issued to: ${issuedFor}`];
  const about = [...withdrawalTexts(withdrawal), ...issued, ...signedTexts(signed)];
  const described = { verdict, conclusion, errors, warnings, about, quotations: signedQuoted(signed) };
  const nothingGiven = document === undefined || document === null;
  const advice = nothingGiven ? { advice: NOTHING_GIVEN } : {};
  return { data, say: describeVerdict({ ...described, ...advice }, explain) };
}
