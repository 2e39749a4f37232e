import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { rootCertificates } from 'node:tls';
import { describe, expect, it } from 'vitest';
import { useFolder } from '../../../../../test/kit/folder.ts';
import { StartError } from '../lifecycle/start-error.ts';
import { parseConfig } from '../settings/config.ts';
import { openFetchers } from './fetchers.ts';

const folder = useFolder('ca');

async function openWith(authorities: string) {
  const file = join(folder, 'ca.pem');
  await writeFile(file, authorities);
  return openFetchers(
    parseConfig({ TOUCHSTONE_FETCH_CA_FILE: file }, []).fetch,
    {},
    { baseUrl: 'https://certificates.example' },
  );
}

describe('TOUCHSTONE_FETCH_CA_FILE', () => {
  const pem = rootCertificates.slice(0, 2).join('\n# another one\n');

  it('may contain several certificates', async () => {
    expect(await openWith(pem)).toHaveProperty('pages');
  });

  it.each([
    ['something else than certificates', 'root:x:0:0::/root:/bin/bash'],
    ['nothing', ''],
    ['a good certificate and a broken one', pem.replace(/.{9}(?=\n-----END CERTIFICATE-----$)/, '')],
  ])('is refused at the start, by its name, when it contains %s', async (_, text) => {
    const refused = openWith(text);
    await expect(refused).rejects.toThrow(StartError);
    await expect(refused).rejects.toThrow(/TOUCHSTONE_FETCH_CA_FILE .*ca\.pem/);
  });
});
