/** A bare HTTP server: reads and parses the JSON of a body, and answers with bytes that it was given. */
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
