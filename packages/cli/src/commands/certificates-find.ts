import { type Command, Option } from 'commander';
import { CliError, EXIT } from '../cli-error.ts';
import { answerOf, createServiceClient, type ServiceClient } from '../client.ts';
import { safe } from '../output/text.ts';
import type { Session } from '../session.ts';
import { apiCredential, type GlobalOptions, nonEmpty, pageAddress, serviceUrl } from '../settings.ts';

export function addCertificatesFind(certificates: Command, session: Session): void {
  const find = certificates
    .command('find')
    .description(
      'Print the certificate that the service serves for a page. A key is required only for a host that is not proven.',
    )
    .argument('<url>', 'address of the page, after redirects')
    .addOption(
      new Option(
        '--format <format>',
        'the certificate itself, or as a W3C Verifiable Credential in an enveloping JWS',
      )
        .choices(['json', 'vc+jwt'])
        .default('json'),
    )
    .option('--key <key>', 'API key (TOUCHSTONE_KEY)')
    .addHelpText('after', '\nExample:\n  touchstone certificates find https://shop.example/products/cup')
    .action((url: string) => findCertificate(session, url, find.optsWithGlobals<FindOptions>()));
}

interface FindOptions extends GlobalOptions {
  readonly key?: string;
  readonly format: 'json' | 'vc+jwt';
}

async function findCertificate(session: Session, address: string, options: FindOptions): Promise<void> {
  const { io } = session;
  const key = options.key ?? nonEmpty(io.env.TOUCHSTONE_KEY);
  const baseUrl = serviceUrl(options, io.env);
  const client = createServiceClient({
    baseUrl,
    ...(key === undefined ? {} : { credential: apiCredential(options, io.env, baseUrl) }),
    io,
    attempts: 4,
    nameOf: session.nameOf,
  });
  const url = pageAddress(address, 'The address');
  try {
    const certificate = await client.call('findProductCertificate', { query: { url } });
    if (options.format === 'vc+jwt')
      io.stdout.write(`${await credentialOf(client, certificate.productID)}\n`);
    else session.print({ json: true }, certificate, () => '');
    session.exitCode = EXIT.verified;
  } catch (error) {
    if (!(error instanceof CliError) || answerOf(error)?.status !== 404) throw error;
    session.print(options, { url, found: false }, () => `${safe(error.message)}\n`);
    session.exitCode = EXIT.unverified;
  }
}

/** The certificate as a credential. */
function credentialOf(client: ServiceClient, productId: string): Promise<string> {
  return client.text('getProductCertificate', { params: { product_id: productId } }, 'application/vc+jwt');
}
