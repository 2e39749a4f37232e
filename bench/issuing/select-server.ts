/** A bare HTTP server that answers with the newest proof of a product, by one prepared SELECT. Started by bench/issuing.ts. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';

const pool = new pg.Pool({ connectionString: process.argv[2] ?? '', max: 10 });
const text = `select header, payload, signature, snapshot::text from proofs
  where kind = 'product' and subject_id = $1 order by generation desc limit 1`;

const server = createServer(async (request, response) => {
  const { rows } = await pool.query({ name: 'proof', text, values: [(request.url ?? '').slice(1)] });
  const body = JSON.stringify(rows[0] ?? null);
  response
    .writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
    .end(body);
}).listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
