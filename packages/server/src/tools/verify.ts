import type { VerificationResult } from '@touchstone/certificate';
import { VERIFICATION_TOOL } from '@touchstone/certificate/issue';
import { ProductVerificationRequestSchema, VerificationResultSchema } from '@touchstone/certificate/schema';
import { isUuid } from '@touchstone/certificate/verify';
import { z } from 'zod';
import type { Advice } from './advice.ts';
import { pageAnswer, ReportAnswerSchema } from './check-page.ts';
import { tellVerdict } from './describe-verdict.ts';
import { type Tool, type ToolAnswer, tool } from './tool.ts';
import { toolError } from './tool-fault.ts';
import { QUOTED_BY_RESULT, Untrusted } from './untrusted.ts';

const Arguments = ProductVerificationRequestSchema.extend({
  // told as what it should be, since agents do not know what to give for "anything"; anything is taken all the same
  document: z
    .unknown()
    .optional()
    .meta({
      description: 'The certificate node found on the page: a JSON-LD object, or a string holding one.',
      anyOf: [{ type: 'object' }, { type: 'string' }],
    }),
  productId: z.guid().optional().meta({
    description:
      'The product that the document must be for; left out, the one that it names. Of use with a document only.',
  }),
}).meta({ id: 'VerifyArguments' });

const ResultAnswerSchema = VerificationResultSchema.extend(Untrusted).meta({ id: 'VerifiedDocument' });

const DESCRIPTION = `Says whether a product certificate (JSON-LD with a signed proof) belongs to the page it was found on: verified, failed
or unverified, with one answer and reason for each of nine checks. Give productUrl alone to have the service fetch the
page and judge the certificate on it; give the document too when you have it already. A certificate names this tool in
verification.mcp.tool.`;

export function verifyTool(): Tool {
  return tool({
    name: VERIFICATION_TOOL,
    title: 'Verify a product certificate',
    description: DESCRIPTION,
    openWorld: true,
    arguments: Arguments,
    answers: [ResultAnswerSchema, ReportAnswerSchema],
    run: async ({ productUrl, productId, document }, { use, signal }) => {
      // null says the same as leaving it out (decision 13)
      if (productId === undefined && (document === undefined || document === null)) {
        return pageAnswer(await use.checkPage({ url: productUrl, freshness: 'cached', signal }));
      }
      const named = productId ?? productNamedBy(document);
      if (named === undefined) throw toolError('product_not_named');
      const result = await use.verifyProduct({ productId: named, pageUrl: productUrl, document });
      return resultAnswer(result, document);
    },
  });
}

/** The product that the document repeats (spec "Submitted document"); the integrity check holds it to the signed one. */
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

/** Where the caller named a product and gave no document: nobody has looked at the page. */
const NOTHING_GIVEN: Advice = {
  means: 'No document was given, so nothing signed was checked; the page itself was not looked at.',
  whatToDo: 'Leave productId out to have the page fetched and its certificate judged, or give the document.',
};

function resultAnswer(result: VerificationResult, document: unknown): ToolAnswer {
  const { status, errors, warnings, issuedFor } = result;
  const about = issuedFor === undefined ? [] : [`Issued to: ${issuedFor}`];
  const advice = document === undefined || document === null ? { advice: NOTHING_GIVEN } : {};
  return {
    data: { ...result, untrusted: QUOTED_BY_RESULT },
    say: tellVerdict({ verdict: status, errors, warnings, about, ...advice }),
  };
}
