import { readNamedMasterKey } from '../core/keys/master-key.ts';
import { StartError } from '../platform/lifecycle/start-error.ts';
import { type Config, ConfigError } from '../platform/settings/config.ts';

/**
 * Reads the files named by settings before folders or databases are created, so that a refused start leaves nothing behind
 * and reports all faults at once.
 *
 * @throws StartError
 */
export async function checkNamedFiles(config: Config, now: Date): Promise<void> {
  const { masterKeyFile, dataDir, images, fetch } = config;
  const { signer, trustFiles } = images;
  const checks: Promise<unknown>[] = [];
  // each is loaded only where it is named: most services name none
  if (masterKeyFile !== undefined) checks.push(readNamedMasterKey(masterKeyFile));
  if (signer !== undefined)
    checks.push(
      import('../core/images/signer.ts').then(({ openSigner }) => openSigner(signer, dataDir, now)),
    );
  if (Object.values(trustFiles).some((file) => file !== undefined))
    checks.push(
      import('../core/images/trust-list.ts').then(({ openTrustLists }) =>
        openTrustLists({ trustFiles, dataDir }),
      ),
    );
  if (fetch.caFile !== undefined)
    checks.push(
      import('../platform/network/fetchers.ts').then(({ readAuthorities }) => readAuthorities(fetch.caFile)),
    );
  const faults = (await Promise.allSettled(checks)).flatMap((check) =>
    check.status === 'rejected' ? [check.reason as unknown] : [],
  );
  const [first] = faults;
  if (first === undefined) return;
  if (faults.length === 1 || !faults.every((fault) => fault instanceof StartError)) throw first;
  throw new ConfigError(faults.map(({ message }) => message));
}
