import type { VerificationResult } from '@touchstone/certificate';
import {
  JwksSchema,
  PageCheckReportSchema,
  ProductCertificateSchema,
  VerificationResultSchema,
} from '@touchstone/certificate/schema';
import type { PageReport } from '@touchstone/page';
import { ToolError, type ToolUseCases, toolError } from '@touchstone/server/mcp';
import type { z } from 'zod';
import { CliError } from '../cli-error.ts';
import { isRecord, type ServiceAnswer } from '../client/problem.ts';
import type { ServiceClient, ServiceRequest } from '../client/service-client.ts';

/** What the tools ask for, asked of a service: the same answers, and the same codes when it cannot give one. */
export function remoteUseCases(client: ServiceClient): ToolUseCases {
  const ask = async (request: ServiceRequest): Promise<unknown> => {
    const answer = await client.answer(request).catch((error: unknown) => {
      if (!(error instanceof CliError)) throw error;
      throw toolError('service_unreachable', { message: error.message });
    });
    if (answer.status === 200 && answer.body !== undefined) return answer.body;
    throw faultOf(answer, client.baseUrl);
  };
  const path = (rest: string) => `/api/v1/mc4p/${rest}`;
  return {
    verifyProduct: async ({ productId, pageUrl, document }) =>
      understood<VerificationResult>(
        VerificationResultSchema,
        await ask({
          method: 'POST',
          path: path(`products/${productId}/verify`),
          body: { productUrl: pageUrl, document },
        }),
      ),
    checkPage: async ({ url, freshness, images }) =>
      understood<PageReport>(
        PageCheckReportSchema,
        await ask({ method: 'POST', path: path('page-checks'), body: { url, freshness, images } }),
      ),
    getCertificate: async (productId) =>
      JSON.stringify(
        understood(
          ProductCertificateSchema,
          await ask({ method: 'GET', path: path(`products/${productId}/certificate`) }),
        ),
      ),
    getJwks: async () =>
      JSON.stringify(
        understood(JwksSchema, await ask({ method: 'GET', path: '/api/v1/.well-known/jwks.json' })),
      ),
  };
}

/** What is not understood must never be passed on as a verdict, a certificate or keys. */
function understood<T>(schema: z.ZodType, body: unknown): T {
  if (!schema.safeParse(body).success) throw toolError('service_not_understood');
  // JSON knows no undefined, in which alone the schema's type is wider
  return body as T;
}

function faultOf({ status, body, retryAfter }: ServiceAnswer, baseUrl: string): Error {
  const { code, detail } = isRecord(body) ? body : {};
  if (typeof code !== 'string' || typeof detail !== 'string') {
    return toolError('service_not_understood', {
      message: `What answers at ${baseUrl} (${status}) is not the service: check --service URL, or TOUCHSTONE_SERVICE.`,
    });
  }
  return new ToolError({ code, message: detail, ...(retryAfter === undefined ? {} : { retryAfter }) });
}
