import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { httpServer } from './servers.ts';

/** A time-stamp authority on loopback (RFC 3161, section 3.4), using `openssl ts`. */
export interface TimeStampAuthority {
  readonly url: string;
  /** Its root certificate, PEM. */
  readonly rootPem: string;
  /** Number of requests so far. */
  readonly requests: () => number;
  /** Sets its behaviour from now on. */
  answer(how: 'stamps' | 'hangs' | 'fails' | 'refuses' | 'stamps another'): void;
  close(): Promise<void>;
}

const CONFIG = `
[req]
distinguished_name = name
prompt = no
[name]
CN = Test stamps
O = Touchstone tests
[root]
basicConstraints = critical, CA:TRUE
keyUsage = critical, keyCertSign, cRLSign
subjectKeyIdentifier = hash
[stamper]
basicConstraints = critical, CA:FALSE
keyUsage = critical, digitalSignature
extendedKeyUsage = critical, timeStamping
subjectKeyIdentifier = hash
authorityKeyIdentifier = keyid
[tsa]
default_tsa = stamps
[stamps]
serial = ./serial
crypto_device = builtin
signer_cert = ./stamper.pem
certs = ./root.pem
signer_key = ./stamper.key
signer_digest = sha256
default_policy = 1.2.3.4.1
digests = sha256
accuracy = secs:1
ess_cert_id_alg = sha256
`;

const run = promisify(execFile);

export async function openTimeStampAuthority(): Promise<TimeStampAuthority> {
  const folder = await mkdtemp(join(tmpdir(), 'touchstone-tsa-'));
  const openssl = (...args: string[]) => run('openssl', args, { cwd: folder });
  await writeFile(join(folder, 'tsa.cnf'), CONFIG);
  await writeFile(join(folder, 'serial'), '01\n');
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-config', 'tsa.cnf'];
  await openssl(
    'req',
    '-x509',
    ...key,
    '-extensions',
    'root',
    '-subj',
    '/CN=Test root/O=Touchstone tests',
    '-days',
    '30',
    '-keyout',
    'root.key',
    '-out',
    'root.pem',
  );
  await openssl('req', '-new', ...key, '-keyout', 'stamper.key', '-out', 'stamper.csr');
  await openssl(
    'x509',
    '-req',
    '-in',
    'stamper.csr',
    '-CA',
    'root.pem',
    '-CAkey',
    'root.key',
    '-CAcreateserial',
    '-days',
    '30',
    '-extfile',
    'tsa.cnf',
    '-extensions',
    'stamper',
    '-out',
    'stamper.pem',
  );
  let how: Parameters<TimeStampAuthority['answer']>[0] = 'stamps';
  const stamp = async (query: Buffer) => {
    const name = `${server.hits()}`;
    await writeFile(join(folder, `${name}.tsq`), query);
    await openssl('ts', '-reply', '-config', 'tsa.cnf', '-queryfile', `${name}.tsq`, '-out', `${name}.tsr`);
    return readFile(join(folder, `${name}.tsr`));
  };
  const server = await httpServer(async (request, response) => {
    const query = await buffer(request);
    if (how === 'hangs') return;
    if (how === 'fails') return void response.writeHead(503).end();
    response.setHeader('content-type', 'application/timestamp-reply');
    // PKIStatusInfo with status 2, rejection
    if (how === 'refuses') return void response.end(Buffer.from('30053003020102', 'hex'));
    if (how === 'stamps another') query[30] = (query[30] ?? 0) ^ 1;
    response.end(await stamp(query));
  });
  return {
    url: `${server.url}/`,
    rootPem: await readFile(join(folder, 'root.pem'), 'utf8'),
    requests: server.hits,
    answer: (next) => {
      how = next;
    },
    async close() {
      await server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
