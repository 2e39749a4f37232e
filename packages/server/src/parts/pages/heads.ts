import { withoutUnseen } from '@touchstone/certificate/text';
import type { PageReport } from '@touchstone/contract';
import type { DocumentTexts, HeadText } from './web-build.ts';

/** Title and description of an HTML document, with values of the answer that it shows. */
export type HeadOf = (
  answer: Readonly<Record<string, unknown>>,
  texts: DocumentTexts,
  language: string,
) => HeadText;

/** Characters of a value in a title; browsers and search engines truncate longer titles. */
const MAX_VALUE = 120;

/** For the certificate of a product. */
export const certificateHead: HeadOf = (answer, texts) => {
  const { domain } = memberOf(answer, 'svc:issuedFor');
  const name = text(productName(answer)) || text(answer.productID);
  const values = { name, domain: text(domain) };
  return filled(headOf(texts, 'certificate'), values);
};

/** The name is not in the certificate, but in the claims of its proof. */
function productName({ proof }: Readonly<Record<string, unknown>>): unknown {
  const { jwt } = (proof ?? {}) as { jwt?: unknown };
  const [, payload] = typeof jwt === 'string' ? jwt.split('.') : [];
  if (payload === undefined) return undefined;
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as { productName?: unknown };
  return claims.productName;
}

export const assetHead: HeadOf = (_answer, texts) => headOf(texts, 'asset');

export const downloadsHead: HeadOf = (_answer, texts) => headOf(texts, 'downloads');

/** For what was issued for a domain. */
export const domainLogHead: HeadOf = ({ domain }, texts) =>
  filled(headOf(texts, 'domainLog'), { domain: text(domain) });

/** For what is known of a host. */
export const siteHead: HeadOf = ({ host, unicode }, texts) =>
  filled(headOf(texts, 'knownSite'), { host: text(unicode ?? host) });

/** For the report of a page check: what is concluded from it. */
export const pageCheckHead: HeadOf = (report, texts, language) => {
  const { conclusion, mc4p, url, final_url: page, fetched_at: when } = report as unknown as PageReport;
  const { signed } = mc4p;
  const { dated = '', undated = '', host = '' } = texts.control;
  const day = (time: string | undefined) => (time === undefined ? '' : dayIn(language, time));
  const { method = 'none', checkedAt } = signed?.control ?? {};
  const isDated = method !== 'none' && checkedAt !== undefined;
  const verdict = fill(texts.conclusions[conclusion.code]?.title ?? '', {
    host: text(signed?.domain ?? host),
    page: text(page),
    date: day(signed?.expiresAt),
    control: isDated ? fill(dated, { date: day(checkedAt) }) : undated,
  });
  const about = conclusion.code === 'redirected' ? page : url;
  return filled(headOf(texts, 'pageCheck'), { verdict, url: text(about), when: text(when) });
};

function dayIn(language: string, time: string): string {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return '';
  return new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(date);
}

/** For an error: the sentence of its code in the page's language, else its detail, which is in English. */
export function problemHead(
  status: number,
  { code, detail }: Readonly<Record<string, unknown>>,
  texts: DocumentTexts,
  malformed = 'malformed',
): HeadText {
  if (status === 422) return headOf(texts, malformed);
  const sentence = texts.faults[String(code)] ?? text(detail);
  return filled(headOf(texts, status >= 500 ? 'unavailable' : 'problem'), { detail: sentence });
}

export function headOf(texts: DocumentTexts, name: string): HeadText {
  return texts.head[name] as HeadText;
}

function filled({ title, description }: HeadText, values: Readonly<Record<string, string>>): HeadText {
  return { title: fill(title, values), description: fill(description, values) };
}

function fill(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '');
}

function memberOf(
  answer: Readonly<Record<string, unknown>>,
  name: string,
): Readonly<Record<string, unknown>> {
  const member = answer[name];
  return typeof member === 'object' && member !== null ? (member as Record<string, unknown>) : {};
}

function text(value: unknown): string {
  return typeof value === 'string' ? withoutUnseen(value).slice(0, MAX_VALUE) : '';
}
