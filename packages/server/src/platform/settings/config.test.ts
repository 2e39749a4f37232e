import { resolve } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { readConfig } from '../../parts.ts';
import { ConfigError, masterKeyPlace } from './config.ts';

function faults(settings: Record<string, string>): readonly string[] {
  try {
    readConfig(settings);
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
  return [];
}

describe('settings', () => {
  test('are all optional', () => {
    const config = readConfig({ PATH: '/bin', TOUCHSTONE_PORT: '' });
    expect(config).toMatchObject({
      port: 8787,
      host: '127.0.0.1',
      dataDir: resolve('./data'),
      formerBaseUrls: [],
      requireVerifiedDomain: false,
      trustProxy: [],
      pageCacheSeconds: 900,
      logLevel: 'info',
      unknown: [],
      fetch: { connectTo: [], ports: [80, 443] },
    });
    expect(config.baseUrl).toBeUndefined();
    expect(masterKeyPlace(config)).toEqual({ path: resolve('data/master.key'), named: false });
  });

  test('are read from the environment', () => {
    const config = readConfig({
      TOUCHSTONE_PORT: '0',
      TOUCHSTONE_BASE_URL: 'https://Certs.Example:443/',
      TOUCHSTONE_FORMER_BASE_URLS: 'https://old.example, https://older.example/base/',
      TOUCHSTONE_TRUST_PROXY: '10.0.0.0/8, ::1',
      TOUCHSTONE_FETCH_CONNECT_TO: 'shop.example:443=127.0.0.1:9443',
      TOUCHSTONE_FETCH_PORTS: '443,8443',
      TOUCHSTONE_REQUIRE_VERIFIED_DOMAIN: 'TRUE',
      TOUCHSTONE_LOG_LEVEL: 'DEBUG',
    });
    expect(config.port).toBe(0);
    expect(config.baseUrl).toBe('https://certs.example');
    expect(config.formerBaseUrls).toEqual(['https://old.example', 'https://older.example/base']);
    expect(config.trustProxy).toEqual(['10.0.0.0/8', '::1']);
    expect(config.fetch.connectTo).toEqual([
      { host: 'shop.example', port: 443, address: '127.0.0.1', toPort: 9443 },
    ]);
    expect(config.fetch.ports).toEqual([443, 8443]);
    expect([config.requireVerifiedDomain, config.logLevel]).toEqual([true, 'debug']);
  });

  test('report every fault at once, by the name of the setting', () => {
    const reported = faults({
      TOUCHSTONE_PORT: '99999',
      TOUCHSTONE_FETCH_CA_FILE: '/nowhere/ca.pem',
      TOUCHSTONE_BASE_URL: 'certs.example',
      TOUCHSTONE_FORMER_BASE_URLS: 'https://a.example?x=1',
      TOUCHSTONE_NAMESPACE_URL: 'ns',
      TOUCHSTONE_DATABASE_URL: 'mysql://user:hunter2@host/db',
      TOUCHSTONE_OPERATOR_KEY: 'short',
      TOUCHSTONE_REQUIRE_VERIFIED_DOMAIN: 'maybe',
      TOUCHSTONE_TRUST_PROXY: '10.0.0.0/8,proxy.example',
      TOUCHSTONE_FETCH_CONNECT_TO: 'shop.example',
      TOUCHSTONE_FETCH_PORTS: '80,http',
      TOUCHSTONE_PAGE_CACHE_SECONDS: '-1',
      TOUCHSTONE_LOG_LEVEL: 'loud',
    });
    expect(reported.map((fault) => /^TOUCHSTONE_(\w+)/.exec(fault)?.[1])).toEqual([
      'PORT',
      'BASE_URL',
      'FORMER_BASE_URLS',
      'NAMESPACE_URL',
      'TRUST_PROXY',
      'DATABASE_URL',
      'OPERATOR_KEY',
      'LOG_LEVEL',
      'PAGE_CACHE_SECONDS',
      'FETCH_PORTS',
      'FETCH_CA_FILE',
      'FETCH_CONNECT_TO',
      'REQUIRE_VERIFIED_DOMAIN',
    ]);
    expect(reported.join()).not.toContain('hunter2');
    expect(reported.join()).not.toContain('short');
  });

  test.each([
    'postgres://u:p@a,b/db?target_session_attrs=read-write',
    'postgres://u:p@a:5432,b:5432/db',
    'postgresql:///db?host=a%2Cb',
  ])(
    'refuse several database servers in one address, of which the driver would make one name: %s',
    (address) => {
      expect(faults({ TOUCHSTONE_DATABASE_URL: address })).toEqual([
        expect.stringMatching(/^TOUCHSTONE_DATABASE_URL must name one host: put HAProxy or PgBouncer/),
      ]);
      expect(faults({ TOUCHSTONE_DATABASE_URL: 'postgres://u:p,q@a/db?host=%2Frun%2Fpostgresql' })).toEqual(
        [],
      );
    },
  );

  test('limit the addresses that every proof contains', () => {
    const of = (length: number) => `https://c.example/${'x'.repeat(length - 'https://c.example/'.length)}`;
    const both = (length: number) => ({
      TOUCHSTONE_BASE_URL: of(length),
      TOUCHSTONE_NAMESPACE_URL: of(length),
    });
    expect(faults(both(101))).toEqual([
      expect.stringMatching(/^TOUCHSTONE_BASE_URL must have at most 100 characters/),
      expect.stringMatching(/^TOUCHSTONE_NAMESPACE_URL must have at most 100 characters/),
    ]);
    expect(faults(both(100))).toEqual([]);
    // no new proof contains a former one
    expect(faults({ TOUCHSTONE_FORMER_BASE_URLS: of(200) })).toEqual([]);
  });

  test('report unknown names; those of the client are ignored', () => {
    const config = readConfig({ TOUCHSTONE_PROT: '1', TOUCHSTONE_KEY: 'x', TOUCHSTONE_BLOBS: './b' });
    expect(config.unknown).toEqual(['TOUCHSTONE_PROT']);
  });
});

test('an address that receives a secret needs TLS, except on this machine, and the message repeats no secret', () => {
  const s3 = { TOUCHSTONE_BLOBS: 's3://pictures' };
  const refused: readonly Record<string, string>[] = [
    { ...s3, AWS_ENDPOINT_URL: 'http://minio.internal:9000' },
    { ...s3, AWS_ENDPOINT_URL_S3: 'http://10.0.0.1', AWS_ENDPOINT_URL: 'https://s3.example' },
    { ...s3, AWS_ENDPOINT_URL: 'https://user:secret@s3.example' },
    { ...s3, AWS_ENDPOINT_URL: 'minio' },
    { TOUCHSTONE_NFT_CHAINS: 'main|1=http://rpc.example/v2/secret' },
    { TOUCHSTONE_NFT_CHAINS: 'main|1=https://user:secret@rpc.example' },
    { TOUCHSTONE_C2PA_TSA_URL: 'http://tsa.example/?token=secret' },
    { TOUCHSTONE_C2PA_TSA_URL: 'https://user:secret@tsa.example' },
  ];
  for (const settings of refused) {
    expect(() => readConfig(settings)).toThrow(/begin with https|no user name|an absolute URL/);
    expect(() => readConfig(settings)).toThrow(/^((?!secret)[\s\S])*$/);
  }
  const accepted: readonly Record<string, string>[] = [
    { ...s3, AWS_ENDPOINT_URL: 'https://s3.example' },
    { ...s3, AWS_ENDPOINT_URL: 'http://127.0.0.1:9000' },
    // not ours
    { AWS_ENDPOINT_URL: 'http://minio.internal:9000' },
    { TOUCHSTONE_NFT_CHAINS: 'main|1=http://localhost:8545/v2/secret' },
    { TOUCHSTONE_C2PA_TSA_URL: 'http://timestamp.example/tsr' },
    { TOUCHSTONE_C2PA_TSA_URL: 'https://tsa.example/?token=secret' },
  ];
  for (const settings of accepted) expect(() => readConfig(settings)).not.toThrow();
});

const images = (settings: Record<string, string>) => readConfig(settings).images;

describe('settings of images', () => {
  it('keep certified bytes in the data folder by default', () => {
    expect(images({ TOUCHSTONE_DATA_DIR: '/d' })).toMatchObject({
      blobs: { folder: '/d/blobs' },
      concurrent: 8,
    });
    expect(images({ TOUCHSTONE_BLOBS: './pictures' }).blobs).toEqual({ folder: resolve('pictures') });
  });

  it('read the same settings as S3 tools for a bucket', () => {
    const aws = {
      AWS_REGION: 'eu-central-1',
      AWS_ENDPOINT_URL: 'http://127.0.0.1:9000',
      AWS_ACCESS_KEY_ID: 'id',
      AWS_SECRET_ACCESS_KEY: 'secret',
    };
    expect(images({ ...aws, TOUCHSTONE_BLOBS: 's3://pictures/shop/' }).blobs).toEqual({
      bucket: 'pictures',
      prefix: 'shop/',
      region: 'eu-central-1',
      endpoint: 'http://127.0.0.1:9000',
      credentials: { accessKeyId: 'id', secretAccessKey: 'secret' },
    });
    expect(images({ TOUCHSTONE_BLOBS: 's3://pictures' }).blobs).toEqual({ bucket: 'pictures', prefix: '' });
  });

  it.each([
    [{ TOUCHSTONE_BLOBS: 'https://bucket' }, 'TOUCHSTONE_BLOBS'],
    [{ TOUCHSTONE_BLOBS: 's3://B' }, 'TOUCHSTONE_BLOBS'],
    [{ TOUCHSTONE_C2PA_CERT_FILE: 'c.pem' }, 'TOUCHSTONE_C2PA_KEY_FILE'],
    [{ TOUCHSTONE_C2PA_KEY_FILE: 'k.pem' }, 'TOUCHSTONE_C2PA_CERT_FILE'],
    [{ TOUCHSTONE_IMAGE_ATTEMPTS: '0' }, 'TOUCHSTONE_IMAGE_ATTEMPTS'],
  ])('refuse %j', (settings, named) => {
    expect(() => images(settings)).toThrow(named);
  });
});
