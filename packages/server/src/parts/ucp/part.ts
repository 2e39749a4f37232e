import { ucpNames } from '@touchstone/catalogue';
import * as contract from '@touchstone/contract';
import type { Core } from '../../core/core.ts';
import { PAGE_HEADERS } from '../../core/docs/html.ts';
import { createGetKeySet } from '../../core/keys/get-key-set.ts';
import type { OpenPart, Part } from '../../core/part.ts';
import { andThen } from '../../platform/and-then.ts';
import { ServiceError } from '../../platform/errors.ts';
import { documentReply, implement, ok } from '../../platform/http/implement.ts';
import { rateLimitHeaders } from '../../platform/http/problem.ts';
import { renderDocument } from '../../platform/http/rendered-document.ts';
import { acpSchema, type Named, ucpProfile, ucpSchema } from './documents.ts';
import { signStatement } from './sign-statement.ts';
import { specificationPage } from './specification.ts';
import { ofItem, ofPage, type Requester, statementOf } from './statement.ts';

/** Certificates in commerce protocols (UCP, ACP): our extension of them, and signed statements for `signals`. */
export const ucpPart: Part = {
  ...contract.ucpPart,
  open: async (core) => openUcp(core),
};

export type UcpCore = Pick<Core, 'baseUrl' | 'clock' | 'caching' | 'keys' | 'pageChecks' | 'verifyItem'>;

export function openUcp(core: UcpCore): OpenPart {
  const { baseUrl, clock, caching, keys, pageChecks, verifyItem } = core;
  const names = ucpNames(baseUrl);
  /** @throws ServiceError `commerce_name_absent` */
  const named = (): Named => {
    if (names.name === undefined) throw absent(names.reason);
    return { baseUrl, ...names };
  };
  const getProfile = createGetKeySet<contract.UcpProfile>({
    clock,
    caching,
    read: async () =>
      ucpProfile(
        named(),
        (await keys.attestations.published()).map(({ jwk }) => jwk),
      ),
  });
  const sign = async (concluded: Parameters<typeof statementOf>[0], requester: Requester) =>
    signStatement(statementOf(concluded, requester, core), named(), keys.attestations);
  return {
    routes: [
      implement(contract.getUcpProfile, () => {
        named();
        return andThen(getProfile(), documentReply);
      }),
      implement(contract.getUcpSchema, async () =>
        documentReply(renderDocument(ucpSchema(named()), JSON_TYPE)),
      ),
      implement(contract.getAcpSchema, async () => {
        const schema = acpSchema(named());
        if ('reason' in schema) throw absent(schema.reason);
        return documentReply(renderDocument(schema.document, JSON_TYPE));
      }),
      implement(contract.getUcpSpecification, async () => ({
        status: 200,
        headers: { ...PAGE_HEADERS, 'cache-control': 'public, max-age=3600' },
        body: specificationPage(named()),
      })),
      implement(
        contract.attestPage,
        async ({ body: { url, freshness, ...requester } }, { caller, signal }) => {
          named();
          const checked = await pageChecks.useCases.checkPage({ url, freshness, caller, signal });
          return {
            ...ok(await sign(ofPage(checked), requester)),
            headers: rateLimitHeaders(checked.rateLimit),
          };
        },
      ),
      implement(contract.attestItem, async ({ body: { item, source, ...requester } }) => {
        named();
        if (verifyItem === undefined) throw new ServiceError('part_left_out', { message: WITHOUT_ITEMS });
        const answer = await verifyItem(item, source ?? undefined);
        return ok(await sign(ofItem(item, answer, source ?? undefined), requester));
      }),
    ],
  };
}

const JSON_TYPE = { 'content-type': 'application/json' };
const WITHOUT_ITEMS = 'This service runs without "items", which would verify them.';

const absent = (reason: string): ServiceError =>
  new ServiceError('commerce_name_absent', { message: reason });
