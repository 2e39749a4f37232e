import { createPrivateKey, generateKeyPairSync, sign } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import {
  COSIGNATURE_ED25519,
  cosign,
  formatNote,
  formatVkey,
  parseCheckpoint,
  parseNote,
  type TreeHead,
  type Vkey,
  verifyConsistency,
  verifyNote,
  vkeyOf,
} from '@touchstone/certificate/log';
import { sha256 } from '../sha256.ts';

/** `covering`: signs the checkpoint together with the signatures of the log, as if they were text. */
export type WitnessMood = 'honest' | 'late' | 'gone' | 'lying' | 'covering';

export interface TestWitness {
  readonly port: number;
  /** The keys of the logs that it knows; filled at its first request. */
  readonly logKeys: Vkey[];
  readonly vkey: string;
  /** Statuses that it has answered. */
  readonly statuses: number[];
  /** The checkpoint that it cosigned last of each log. */
  readonly heads: Map<string, TreeHead>;
  mood: WitnessMood;
  /** Has a witness that is late answer. */
  release(): void;
  /** Has it answer everything with this status. */
  refuse(status: number): void;
  close(): Promise<void>;
}

/** A small witness (C2SP tlog-witness) on loopback, for the keys of these logs. */
export async function startWitness(
  name: string,
  readLogKeys: () => Promise<readonly Vkey[]>,
): Promise<TestWitness> {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const raw = new Uint8Array(Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url'));
  const key = await vkeyOf(name, raw, COSIGNATURE_ED25519);
  const signing = createPrivateKey(privateKey.export({ format: 'pem', type: 'pkcs8' }));
  const signer = { ...key, sign: (data: Uint8Array) => new Uint8Array(sign(null, data, signing)) };
  const statuses: number[] = [];
  const heads = new Map<string, TreeHead>();
  const logKeys = [...(await readLogKeys())];
  let refusal: number | undefined;
  let released = Promise.withResolvers<void>();

  const answer = async (body: string): Promise<{ status: number; text: string; type?: string }> => {
    if (refusal !== undefined) return { status: refusal, text: '' };
    const at = body.indexOf('\n\n');
    const [first = '', ...hashes] = body.slice(0, at).split('\n');
    const old = /^old (0|[1-9]\d*)$/.exec(first)?.[1];
    const note = parseNote(body.slice(at + 2));
    if (at === -1 || old === undefined || typeof note === 'string') return { status: 400, text: '' };
    const checkpoint = parseCheckpoint(note.text);
    if (typeof checkpoint === 'string') return { status: 400, text: '' };
    const logKey = logKeys.find((one) => one.name === checkpoint.origin);
    if (logKey === undefined) return { status: 404, text: '' };
    const verified = await verifyNote(note, [logKey]);
    if (typeof verified === 'string' || verified.length === 0) return { status: 403, text: '' };
    if (Number(old) > checkpoint.size) return { status: 400, text: '' };
    const head = heads.get(checkpoint.origin);
    if ((head?.size ?? 0) !== Number(old))
      return { status: 409, text: `${head?.size ?? 0}\n`, type: 'text/x.tlog.size' };
    const proof = hashes.map((hash) => new Uint8Array(Buffer.from(hash, 'base64')));
    const isConsistent =
      head === undefined || head.size === 0
        ? proof.length === 0
        : await verifyConsistency(head, checkpoint, proof, sha256);
    if (!isConsistent) return { status: 422, text: '' };
    heads.set(checkpoint.origin, checkpoint);
    if (witness.mood === 'covering') {
      const covered = formatNote(note);
      const cosignature = await cosign(covered, Math.floor(Date.now() / 1000), signer);
      return {
        status: 200,
        text: formatNote({ text: covered, signatures: [cosignature] }).slice(covered.length),
      };
    }
    const signed =
      witness.mood === 'lying' ? note.text.replace(/^\d+$/m, (size) => `${Number(size) + 1}`) : note.text;
    const cosignature = await cosign(signed, Math.floor(Date.now() / 1000), signer);
    return {
      status: 200,
      text: formatNote({ text: note.text, signatures: [cosignature] }).slice(note.text.length + 1),
    };
  };

  const server = createServer(async (request, response) => {
    if (witness.mood === 'gone') {
      request.socket.destroy();
      return;
    }
    const body = await readText(request);
    if (witness.mood === 'late') await released.promise;
    const {
      status,
      text,
      type = 'text/plain; charset=utf-8',
    } = request.method === 'POST' && request.url === '/add-checkpoint'
      ? await answer(body)
      : { status: 404, text: '' };
    statuses.push(status);
    response.writeHead(status, { 'content-type': type }).end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const witness: TestWitness = {
    port: (server.address() as AddressInfo).port,
    logKeys,
    vkey: formatVkey(key),
    statuses,
    heads,
    mood: 'honest',
    release() {
      released.resolve();
      released = Promise.withResolvers();
    },
    refuse(status) {
      refusal = status;
    },
    close: () =>
      new Promise((resolve) => {
        released.resolve();
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
  return witness;
}
