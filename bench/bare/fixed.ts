/** A bare HTTP server: the same response to every GET, and 304 if the entity tag matches. */
import { readFileSync } from 'node:fs';
import { serveBare } from './serve.ts';

export interface FixedAnswer {
  readonly headers: readonly string[];
  readonly notModifiedHeaders: readonly string[];
  readonly etag: string;
  readonly body: string;
}

const answer = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as FixedAnswer;
const { headers, notModifiedHeaders, etag } = answer;
const body = Buffer.from(answer.body);

serveBare((request, response) => {
  if (request.headers['if-none-match'] === etag)
    response.writeHead(304, notModifiedHeaders as string[]).end();
  else response.writeHead(200, headers as string[]).end(body);
});
