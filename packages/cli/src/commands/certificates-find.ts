import type { Command } from 'commander';
import { CliError, EXIT } from '../cli-error.ts';
import { answerOf, createServiceClient } from '../client.ts';
import { safe } from '../output/text.ts';
import type { Session } from '../session.ts';
import { type GlobalOptions, pageAddress, serviceUrl } from '../settings.ts';

export function addCertificatesFind(certificates: Command, session: Session): void {
  const find = certificates
    .command('find')
    .description('Print the certificate that the service serves for a page. No key is required.')
    .argument('<url>', 'address of the page, after redirects')
    .addHelpText('after', '\nExample:\n  touchstone certificates find https://shop.example/products/cup')
    .action((url: string) => findCertificate(session, url, find.optsWithGlobals<GlobalOptions>()));
}

async function findCertificate(session: Session, address: string, options: GlobalOptions): Promise<void> {
  const { io } = session;
  const client = createServiceClient({
    baseUrl: serviceUrl(options, io.env),
    io,
    attempts: 4,
    nameOf: session.nameOf,
  });
  const url = pageAddress(address, 'The address');
  try {
    const certificate = await client.call('findProductCertificate', { query: { url } });
    session.print({ json: true }, certificate, () => '');
    session.exitCode = EXIT.verified;
  } catch (error) {
    if (!(error instanceof CliError) || answerOf(error)?.status !== 404) throw error;
    session.print(options, { url, found: false }, () => `${safe(error.message)}\n`);
    session.exitCode = EXIT.unverified;
  }
}
