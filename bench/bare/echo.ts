/** A bare HTTP server: reads and parses a JSON body, and responds with the configured bytes. */
import { readFileSync } from 'node:fs';
import { serveBare } from './serve.ts';

const body = readFileSync(process.argv[2] ?? '');

serveBare((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    JSON.parse(Buffer.concat(chunks).toString());
    response
      .writeHead(200, { 'content-type': 'application/json', 'content-length': body.byteLength })
      .end(body);
  });
});
