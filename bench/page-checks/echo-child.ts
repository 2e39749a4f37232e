/** A bare HTTP server that reads what it is sent and answers as many bytes as it was told. Started by bench/page-checks.ts. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const answer = Buffer.alloc(Number(process.argv[2] ?? 1_000), 'x');
const server = createServer(async (request, response) => {
  for await (const _ of request);
  response
    .writeHead(200, { 'content-type': 'application/json', 'content-length': answer.length })
    .end(answer);
}).listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.send?.({ url: `http://127.0.0.1:${port}` });
});

process.on('message', (order: 'cpu' | 'stop') => {
  const { user, system } = process.cpuUsage();
  if (order === 'cpu') process.send?.(user + system);
  else process.exit(0);
});
