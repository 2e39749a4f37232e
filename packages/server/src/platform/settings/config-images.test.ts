import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readConfig } from './config.ts';

const images = (settings: Record<string, string>) => readConfig(settings).images;

describe('settings of images', () => {
  it('keep certified bytes in the data folder unless told', () => {
    expect(images({ TOUCHSTONE_DATA_DIR: '/d' })).toMatchObject({
      blobs: { folder: '/d/blobs' },
      concurrent: 8,
    });
    expect(images({ TOUCHSTONE_BLOBS: './pictures' }).blobs).toEqual({ folder: resolve('pictures') });
  });

  it('read a bucket with what S3 tools are told by', () => {
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
