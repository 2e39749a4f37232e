import {
  INTERNAL_ERROR,
  INVALID_PARAMS,
  type ListResourcesResult,
  type ListResourceTemplatesResult,
  ProtocolError,
  type ReadResourceResult,
  ResourceNotFoundError,
  UriTemplate,
} from '@modelcontextprotocol/server';
import { writeOutUnseen } from '@touchstone/certificate/text';
import { isUuid } from '@touchstone/certificate/verify';
import type { ToolFault } from '@touchstone/contract/tools';
import { CARD, CARD_URI, readCard } from './card.ts';
import type { Explain } from './explanations.ts';
import { ToolError } from './tool-fault.ts';
import type { ToolUseCases } from './use-cases.ts';

const JWKS = {
  name: 'jwks',
  uri: 'touchstone://jwks',
  title: 'Public keys',
  description: 'The key set that verifies proofs.',
  mimeType: 'application/json',
};
const CERTIFICATE = {
  name: 'certificate',
  uriTemplate: 'touchstone://certificates/{productId}',
  title: 'Product certificate',
  description: 'The certificate served for a product.',
  mimeType: 'application/ld+json',
};
const CODE = {
  name: 'code',
  uriTemplate: 'touchstone://codes/{code}',
  title: 'Meaning of a code',
  description: 'The meaning of a verdict or code, and what to do.',
  mimeType: 'application/json',
};

export interface ResourceContext {
  readonly use: ToolUseCases;
  readonly faultOf: (error: unknown) => ToolFault;
}

/** Resources that an agent may read in addition to the tools: certificates, the key set, explanations of codes; and the card, for its client. */
export interface Resources {
  readonly list: ListResourcesResult;
  readonly templateList: ListResourceTemplatesResult;
  /** @throws ProtocolError if the resource does not exist or cannot be read now */
  read(address: string, context: ResourceContext): Promise<ReadResourceResult>;
}

/** Templates are parsed once; they hold no state of a call. */
export function createResources(explain: Explain): Resources {
  const certificate = new UriTemplate(CERTIFICATE.uriTemplate);
  const code = new UriTemplate(CODE.uriTemplate);

  /** Finds the resource at an address, with a function that loads its text. */
  const find = (uri: string, use: ToolUseCases) => {
    if (uri === JWKS.uri) return { mimeType: JWKS.mimeType, text: () => use.getJwks() };
    const product = certificate.match(uri);
    if (product !== null)
      return { mimeType: CERTIFICATE.mimeType, text: () => certificateOf(uri, product.productId, use) };
    const explained = code.match(uri);
    if (explained !== null)
      return {
        mimeType: CODE.mimeType,
        text: async () => explanationOf(uri, String(explained.code), explain),
      };
    throw new ResourceNotFoundError(uri);
  };
  return {
    list: { resources: [JWKS, CARD] },
    templateList: { resourceTemplates: [CERTIFICATE, CODE] },
    async read(address, { use, faultOf }) {
      if (address === CARD_URI) return readCard();
      const uri = normalized(address);
      const { mimeType, text } = find(uri, use);
      try {
        return { contents: [{ uri, mimeType, text: writeOutUnseen(await text(), '\n') }] };
      } catch (error) {
        if (error instanceof ProtocolError) throw error;
        const fault = error instanceof ToolError ? error.fault : faultOf(error);
        if (fault.code === 'product_unknown') throw new ResourceNotFoundError(uri, fault.message);
        throw new ProtocolError(INTERNAL_ERROR, fault.message, { code: fault.code });
      }
    },
  };
}

function normalized(address: string): string {
  const url = URL.parse(address);
  if (url !== null) return url.href;
  throw new ProtocolError(INVALID_PARAMS, `Resource URI ${address} is invalid`, { uri: address });
}

async function certificateOf(uri: string, productId: unknown, use: ToolUseCases): Promise<string> {
  if (!isUuid(productId)) throw new ResourceNotFoundError(uri, 'The id of a product is a UUID.');
  return use.getCertificate(productId);
}

function explanationOf(uri: string, code: string, explain: Explain): string {
  const explanation = explain(code);
  if (explanation === null) throw new ResourceNotFoundError(uri, 'There is no such code.');
  return JSON.stringify(explanation);
}
