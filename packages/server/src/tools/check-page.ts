import { PageCheckReportSchema, PageCheckRequestSchema } from '@touchstone/certificate/schema';
import type { PageReport } from '@touchstone/page';
import { tellVerdict } from './describe-verdict.ts';
import { type Tool, type ToolAnswer, tool } from './tool.ts';
import { cutReport, factsQuoted, Untrusted } from './untrusted.ts';

export const ReportAnswerSchema = PageCheckReportSchema.extend(Untrusted).meta({ id: 'CheckedPage' });

const DESCRIPTION = `Fetches a public product page, reads what it states (price, availability …) and says whether the certificate on it
holds: one of ten verdicts, with reasons. "cached" may use what the page said up to 15 minutes ago; "fresh" fetches now,
at most 10 times a minute. Text of the page comes as untrusted quotations.`;

export function checkPageTool(): Tool {
  return tool({
    name: 'check_product_page',
    title: 'Check a product page',
    description: DESCRIPTION,
    openWorld: true,
    arguments: PageCheckRequestSchema,
    answers: [ReportAnswerSchema],
    run: async (args, { use, signal }) => pageAnswer(await use.checkPage({ ...args, signal })),
  });
}

/** A page check report as a tool tells it. */
export function pageAnswer(report: PageReport): ToolAnswer {
  const told = cutReport(report);
  const { issued_to: issuedTo, product_id: productId } = told.mc4p;
  const about = [
    ...(issuedTo === undefined ? [] : [`Issued to: ${issuedTo}`]),
    ...(productId === undefined ? [] : [`Product: ${productId}`]),
    `Seen: ${told.fetched_at}`,
  ];
  return { data: told, say: tellVerdict({ ...told, about, quotations: factsQuoted(told) }) };
}
