/** A bare HTTP server that responds with the newest proof of a product, by one prepared SELECT. */
import pg from 'pg';
import { serveBare } from './serve.ts';

const pool = new pg.Pool({ connectionString: process.argv[2] ?? '', max: 10 });
const text = `select header, payload, signature, snapshot::text from proofs
  where merchant_id = (select merchant_id from directory where id = $1) and kind = 'product' and subject_id = $1 order by generation desc limit 1`;

serveBare(async (request, response) => {
  const { rows } = await pool.query({ name: 'proof', text, values: [(request.url ?? '').slice(1)] });
  const body = JSON.stringify(rows[0] ?? null);
  response
    .writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
    .end(body);
});
