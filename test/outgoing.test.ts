import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from './kit/imports.ts';

/** The sources of all packages without tests, their helpers, and comments. */
const sources = globSync(['packages/*/src/**/*.{ts,tsx}'], { cwd: ROOT })
  .filter((file) => !/\.test\.tsx?$|\/testing(\/|-[\w-]+\.ts$|\.ts$)|\/web\/src\/text\//.test(file))
  .map((file) => ({
    file,
    code: readFileSync(join(ROOT, file), 'utf8')
      .replace(/^\s*\/\*[\s\S]*?\*\//gm, '')
      .replace(/^\s*\/\/.*$/gm, ''),
  }));
const matching = (pattern: RegExp, within = '') =>
  sources.filter(({ file, code }) => file.startsWith(within) && pattern.test(code)).map(({ file }) => file);

/** The table of what goes out. */
const TABLE = readFileSync(join(ROOT, 'SECURITY.md'), 'utf8');

describe('a secret goes out as a Credential only (SECURITY.md)', () => {
  /** Where a header or a form that authorizes something is made. */
  const MAKES =
    /\b(?:[Aa]uthorization|[Cc]ookie|X-Shopify-Access-Token|[Xx]-[Aa][Pp][Ii]-[Kk]ey|webhook-signature|Signature)['"`]?\s*:(?!\s*_)|\bclient_secret:|\bsecretAccessKey\b|\b(?:Bearer|Basic) \$\{/;

  /** Files that only look so, and those that hand the secret on. */
  const OTHERWISE: Readonly<Record<string, string>> = {
    'packages/contract/src/client.ts': 'takes the headers of a credential',
    'packages/contract/src/error-codes.ts': 'describes the API',
    'packages/contract/src/openapi/document.ts': 'describes the API',
    'packages/contract/src/operations/stores.ts': 'describes the API',
    'packages/server/src/core/keys/sign-request.ts': 'sent by page/fetch for each hop, if it is confidential',
    'packages/server/src/platform/database/tables.ts': 'columns, whose values are sealed',
    'packages/server/src/platform/http/route.ts': 'of requests that come in',
    'packages/server/src/platform/settings/config.ts': 'for s3-client.ts; the endpoint is checked here',
    'packages/server/src/start/doctor/address.ts': 'to the node on this machine, and follows no redirect',
    'packages/server/src/parts/console/sessions/routes.ts': 'of requests that come in',
    'packages/server/src/parts/shopify/connect.ts': 'stores it, sealed',
    'packages/server/src/parts/shopify/connection-store.ts': 'stores it, sealed',
    'packages/server/src/parts/webhooks/secrets.ts': 'sent by attempt.ts',
  };

  it('wherever it is made', () => {
    const byCredential = new Set(matching(/\bnew Credential\(/));
    const others = matching(MAKES).filter((file) => !byCredential.has(file));
    expect(others.toSorted()).toEqual(Object.keys(OTHERWISE).toSorted());
    expect([...byCredential].filter((file) => !TABLE.includes(file))).toEqual([]);
    expect(byCredential.size).toBeGreaterThan(5);
  });

  /** Requests beside the guarded fetcher that may follow a redirect: they carry nothing secret. */
  const FOLLOWING: Readonly<Record<string, string>> = {
    'packages/cli/src/commands/health.ts': 'carries nothing, and reads no body',
    'packages/cli/src/mcp/serve.ts': "adds a time limit to the contract client's requests",
    'packages/cli/src/parts/status-lists/pull-lists.ts': 'adds a signal to the requests of held-lists.ts',
    'packages/cli/src/verify/trust.ts': 'adds a signal to the requests of fetch-jwks.ts',
    'packages/cli/src/verify/withdrawal.ts': 'adds a signal to the requests of held-lists.ts',
    'packages/edge/src/certificates.ts': 'hands on the requests of service.ts',
    'packages/edge/src/with-certificate.ts': "the shop's own request to its own origin",
    'packages/image/src/browser/engine-source.ts': 'a file of the service',
    'packages/fetch/src/bytes.ts': 'the guarded fetcher',
    'packages/fetch/src/exchange.ts': 'one hop of the guarded fetcher',
    'packages/page/src/observe.ts': 'a fetcher that is passed in',
    'packages/server/src/start/announce.ts': 'the service asks itself whether it is ready',
    'packages/server/src/core/images/blobs/s3-client.ts': 'the client of S3 follows none',
    'packages/server/src/core/page-checks/open-page-checks.ts': 'a guarded fetcher',
    'packages/web/src/certificate/keep.tsx': 'a page of the service to the service',
    'packages/web/src/ui/call.ts': 'a page of the service to the service',
    'packages/web/src/verify/image-reader.ts': 'a page of the service to the service',
    'packages/web/src/verify/own-keys.ts': 'a page of the service to the service',
    'packages/web/src/verify/own-lists.ts': 'a page of the service to the service',
    'packages/web/src/verify/service-worker.ts': 'a page of the service to the service',
  };

  it('and requests beside the guarded fetcher follow no redirect, or carry nothing secret', () => {
    const requests = matching(/(?:(?<![.\w])|\bio\.)fetch\((?!url: string)|\bhttps?Request\(|new S3Client\(/);
    const refusing = new Set(matching(/\bredirect: .*'(?:manual|error)'/));
    const following = requests.filter((file) => !refusing.has(file));
    expect(following.toSorted()).toEqual(Object.keys(FOLLOWING).toSorted());
  });
});

describe('the command line and its client', () => {
  const own = ['packages/cli/', 'packages/contract/'];
  const found = (pattern: RegExp) => own.flatMap((folder) => matching(pattern, folder));

  it('read every response by the bounded reader', () => {
    const others = found(
      /\.(?:json|text|arrayBuffer|blob|bytes|formData)\(\)|\bgetReader\(|\bresponse\.body\b(?!\?\.cancel)/,
    );
    const OTHERS = {
      'packages/cli/src/import/live-web.ts': 'a catalogue of any size, limited where it is parsed',
      'packages/contract/src/bounded-body.ts': 'is the bounded reader',
    };
    expect(others.toSorted()).toEqual(Object.keys(OTHERS).toSorted());
  });

  it('write to the terminal by the printing function only', () => {
    expect(found(/\bconsole\.\w+\(|\bprocess\.std(?:out|err)\.write|\\u001b|\\x1b|\\e\[/)).toEqual([
      'packages/cli/src/output/printing.ts',
    ]);
    expect(found(/\bprocess\.std(?:out|err)\b/)).toEqual(['packages/cli/src/index.ts']);
    // any other object that takes its place
    expect(found(/\breplaceLine: /).toSorted()).toEqual([
      'packages/cli/src/docs-files.ts',
      'packages/cli/src/output/printing.ts',
    ]);
  });
});
