import { Option } from 'commander';

const more = (value: string, before: readonly string[] = []): readonly string[] => [...before, value];

/** Options on whom to trust. */
export function trustOptions(): Option[] {
  return [
    new Option(
      '--issuer <url>',
      'a service whose certificates you trust (TOUCHSTONE_ISSUER); repeatable',
    ).argParser(more),
    new Option(
      '--jwks <file>',
      'file with the keys of the issuer, so that they need not be fetched; if several are trusted: <issuer>=<file>, or <issuer>,<issuer>=<file> for issuers that share keys; repeatable',
    ).argParser(more),
    new Option(
      '--keys-fetched-at <time>',
      'when the files of --jwks were fetched from their issuers (RFC 3339): a proof issued later by an unknown key is undecided instead of failed',
    ),
  ];
}

/** Options on how to fetch pages. */
export function sourceOptions(): Option[] {
  return [
    new Option(
      '--connect-to <host=addr:port>',
      'connect to another address for a host, also on a private network; repeatable',
    ).argParser(more),
    new Option('--ca-file <file>', 'PEM certificates to trust for hosts, in addition to the usual ones'),
  ];
}
