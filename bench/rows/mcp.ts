import { join } from 'node:path';
import { costOf } from '../kit/cost.ts';
import { type Request, request } from '../kit/load.ts';
import { alternate, median, ratioOf } from '../kit/rounds.ts';
import { cost, type Row } from '../kit/row.ts';
import type { Bench } from '../kit/run.ts';
import { startService } from '../kit/server.ts';
import { certificatePath, certifiedShop, VERIFIED, verifyRequest } from '../kit/shop.ts';

const ROUNDS = 60;
const CALLS = 250;
const REVISIONS = ['2026-07-28', '2025-11-25'] as const;

/** Calls of tools, compared with the same calls over HTTP. */
export const mcp: Bench = async (context) => {
  const { folder, onEnd } = context;
  const service = await startService({ folder: join(folder, 'service') });
  onEnd(service.close);
  const product = await certifiedShop(service);
  const { productId, pageUrl: productUrl, document } = product;
  const verifyTool = ['verify_svc_certificate', { productUrl, productId, document }, VERIFIED] as const;
  const certificateTool = ['get_product_certificate', { productId }, '"structuredContent"'] as const;
  const measured = (call: Request) => costOf(context, service, [call], { calls: CALLS });
  const [modern, older] = REVISIONS;
  const figures = await alternate(ROUNDS, {
    verify: measured(verifyRequest(product).request),
    verifyModern: measured(toolRequest(modern, ...verifyTool)),
    verifyOlder: measured(toolRequest(older, ...verifyTool)),
    get: measured(request('GET', certificatePath(productId), { holds: '"proof"' })),
    getModern: measured(toolRequest(modern, ...certificateTool)),
    getOlder: measured(toolRequest(older, ...certificateTool)),
  });
  const row = (name: string, against: string, most: number, tool: number[], plain: number[]): Row => ({
    name,
    against,
    ratio: ratioOf(tool, plain),
    goal: ['<=', most],
    detail: `CPU of an answer: ${cost(median(tool))} against ${cost(median(plain))}`,
  });
  const { verify, get } = figures;
  return [
    row(`verify as a tool, ${modern}`, 'POST verify', 2, figures.verifyModern, verify),
    row(`verify as a tool, ${older}`, 'POST verify', 2, figures.verifyOlder, verify),
    row(`certificate by a tool, ${modern}`, 'GET of a warm certificate', 4, figures.getModern, get),
    row(`certificate by a tool, ${older}`, 'GET of a warm certificate', 4, figures.getOlder, get),
  ];
};

export function toolRequest(
  revision: (typeof REVISIONS)[number],
  name: string,
  args: object,
  holds: string,
): Request {
  const isModern = revision === '2026-07-28';
  const meta = {
    'io.modelcontextprotocol/protocolVersion': revision,
    'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const params = { name, arguments: args, ...(isModern ? { _meta: meta } : {}) };
  return request('POST', '/mcp', {
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': revision,
      ...(isModern ? { 'mcp-method': 'tools/call', 'mcp-name': name } : {}),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
    holds,
  });
}
