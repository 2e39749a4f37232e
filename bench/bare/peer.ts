/** A bare HTTP server over a library for credentials: `POST /issue`, `POST /verify` and `GET /certificate`. */
import { serveBare } from './serve.ts';

interface Peer {
  issue(): Promise<unknown>;
  verify(credential: unknown): Promise<boolean>;
}

const name = process.argv[2] as 'didJwtVc' | 'digitalbazaar';
const peers = (await import(`../verify/${'peers.mjs'}`)) as Record<typeof name, () => Promise<Peer>>;
const peer = await peers[name]();
const kept = JSON.stringify(await peer.issue());

serveBare((request, response) => {
  const send = (body: string) =>
    response
      .writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
      .end(body);
  if (request.method === 'GET') return send(kept);
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', async () => {
    if (request.url === '/issue') return send(JSON.stringify(await peer.issue()));
    const verified = await peer.verify(JSON.parse(Buffer.concat(chunks).toString()));
    send(JSON.stringify({ status: verified ? 'verified' : 'failed' }));
  });
});
