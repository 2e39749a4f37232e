import { createProgress } from '../output/progress.ts';
import type { Session } from '../session.ts';
import { apiCredential, type GlobalOptions, serviceUrl } from '../settings.ts';
import { pullCertificates } from './pull-certificates.ts';

interface PullFirstOptions extends GlobalOptions {
  /** The folder. */
  readonly certificates: string;
  readonly key?: string;
}

/** Brings the folder of a store up to date, with progress, before its certificates are written somewhere. */
export async function pullFirst(session: Session, options: PullFirstOptions, storeId: string): Promise<void> {
  const { io } = session;
  const baseUrl = serviceUrl(options, io.env);
  const progress = createProgress(io, 'certificates');
  await pullCertificates({
    baseUrl,
    credential: apiCredential(options, io.env, baseUrl),
    io,
    storeId,
    folder: options.certificates,
    all: false,
    nameOf: session.nameOf,
    onLine: (done) => progress.update({ done, failed: 0 }),
    onRetry: (reason) => progress.remark(reason),
  }).finally(() => progress.end());
}
