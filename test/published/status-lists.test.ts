import { spawnSync } from 'node:child_process';
import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { createKeySet, type Jwks } from '@touchstone/certificate';
import {
  encodeStatusList,
  entryAt,
  readStatusList,
  STATUS_LIST_BYTES,
  STATUS_LIST_SIZE,
  setEntry,
  signStatusList,
  statusListUri,
} from '@touchstone/certificate/withdrawal';
import { beforeAll, describe, expect, it } from 'vitest';
import { toolPath } from '../kit/installed.ts';
import { PYTHON, PYTHON_ENV, WHY_NO_PYTHON } from '../kit/python.ts';
import { seeded } from '../kit/random.ts';

/** What is used of `@sd-jwt/jwt-status-list`, which checks neither signature nor lifetime. */
interface Peer {
  readonly StatusList: new (values: readonly number[], bits: 2) => { readonly statusList: readonly number[] };
  createHeaderAndPayload(
    list: unknown,
    payload: object,
    header: object,
  ): { readonly header: object; readonly payload: object };
  getListFromStatusListJWT(token: string): { readonly statusList: readonly number[] };
}

const PEER = toolPath('status-lists', '@sd-jwt/jwt-status-list/dist/index.mjs');
const why = PEER === null ? ' (skipped: npm run tools)' : WHY_NO_PYTHON;

const URI = statusListUri('https://certificates.example', 7);
const NOW = new Date('2026-03-01T12:00:00Z');

/** Every form in which we publish a list, by the share of entries that are set. */
const FORMS = { fresh: 0, 'one per cent': 0.01, dense: 1 };

describe.skipIf(why !== '')(`status lists, by readers that share no code${why}`, () => {
  let privateKey: KeyObject;
  let jwks: Jwks;
  let peer: Peer;
  beforeAll(async () => {
    const pair = generateKeyPairSync('rsa', { modulusLength: 2048 });
    privateKey = pair.privateKey;
    const { n = '', e = '' } = pair.publicKey.export({ format: 'jwk' });
    jwks = { keys: [{ kty: 'RSA', kid: 'lists', use: 'sig', alg: 'RS256', n, e }] };
    peer = (await import(String(PEER))) as Peer;
  });

  const signer = () => ({
    kid: 'lists',
    sign: async (bytes: Uint8Array) => new Uint8Array(sign('sha256', bytes, privateKey)),
  });
  /** SHA-256 of all values, a byte each. */
  const digestOf = (values: Iterable<number>) =>
    createHash('sha256').update(Uint8Array.from(values)).digest('hex');
  const valuesOf = (share: number): number[] => {
    const random = seeded(29);
    return Array.from({ length: STATUS_LIST_SIZE }, () =>
      random.number() < share ? 1 + random.integer(2) : 0,
    );
  };
  const byUs = async (token: string) => {
    const list = await readStatusList(token, { keySet: createKeySet(jwks), uri: URI, now: NOW });
    if (typeof list === 'string') return list;
    return digestOf(Array.from({ length: STATUS_LIST_SIZE }, (_, index) => entryAt(list.entries, index)));
  };
  const byPython = (token: string) => {
    const script = `import datetime, hashlib, json, sys
from touchstone_certificate.keys import KeySet
from touchstone_certificate.status_list import entry_at, read_status_list
token, jwks, uri, now = json.load(sys.stdin)
found = read_status_list(token, KeySet(jwks), uri, datetime.datetime.fromtimestamp(now, datetime.timezone.utc))
print(found if isinstance(found, str) else hashlib.sha256(bytes(entry_at(found.entries, 2, i) for i in range(${STATUS_LIST_SIZE}))).hexdigest())`;
    const { stdout } = spawnSync(PYTHON, ['-c', script], {
      input: JSON.stringify([token, jwks, URI, NOW.getTime() / 1000]),
      env: PYTHON_ENV,
      encoding: 'utf8',
    });
    return stdout.trim();
  };
  const byPeer = (token: string) => digestOf(peer.getListFromStatusListJWT(token).statusList);

  it.each(Object.entries(FORMS))(
    'ours, %s: every entry is the same to @sd-jwt/jwt-status-list and to Python',
    async (_, share) => {
      const values = valuesOf(share);
      const entries = new Uint8Array(STATUS_LIST_BYTES);
      for (const [index, value] of values.entries()) if (value !== 0) setEntry(entries, index, value);
      const compressed = await encodeStatusList(entries);
      const content = { uri: URI, issuedAt: NOW, compressed, revokedKids: ['proofs-1'] };
      const token = await signStatusList(content, signer(), createKeySet(jwks));
      const wanted = digestOf(values);
      expect([byPeer(token), byPython(token), await byUs(token)]).toEqual([wanted, wanted, wanted]);
    },
  );

  it.each(Object.entries(FORMS))(
    'those of @sd-jwt/jwt-status-list, %s: every entry is the same to us and to Python',
    async (_, share) => {
      const values = valuesOf(share);
      const iat = NOW.getTime() / 1000;
      const { header, payload } = peer.createHeaderAndPayload(
        new peer.StatusList(values, 2),
        { sub: URI, iat, exp: iat + 86_400, ttl: 900 },
        { alg: 'RS256', kid: 'lists', typ: 'statuslist+jwt' },
      );
      const input = [header, payload]
        .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
        .join('.');
      const token = `${input}.${sign('sha256', Buffer.from(input), privateKey).toString('base64url')}`;
      const wanted = digestOf(values);
      expect([await byUs(token), byPython(token)]).toEqual([wanted, wanted]);
    },
  );
});
