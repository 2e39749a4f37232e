/** Addresses that no page fetch may reach, in spellings that bypass careless guards. */

/** Hosts in URLs: private, local, reserved and metadata addresses, and names that resolve to them. */
const HOSTS = `
  127.0.0.1 127.0.0.2 127.1 127.0.1 127.255.255.254 127.0.0.1. 127.1.
  0x7f000001 0x7f.0.0.1 0x7f.1 0X7F.0X0.0X0.0X1 0x0000007f.0.0.1 0177.0.0.1 0177.1 00000177.0.0.1 017700000001
  2130706433 0 0.0.0.0 0.0 0x0 00
  ①②⑦.⓪.⓪.① １２７.０.０.１ 127。0。0。1 127｡1 %31%32%37.0.0.1 127%2e0%2e0%2e1
  10.0.0.1 10.255.255.255 0xa.1 012.1 172.16.0.1 172.31.255.255 192.168.0.1 0300.0250.1 3232235521
  100.64.0.1 100.100.100.200 100.127.255.255 198.18.0.1 198.19.255.255 192.0.0.1 192.0.0.192 192.0.2.1
  169.254.169.254 169.254.170.2 169.254.43518 0xA9FEA9FE 0xA9.0xFE.0xA9.0xFE 2852039166 0251.0376.0251.0376
  0251.254.169.254 169.254.0.1 192.88.99.1 198.51.100.1 203.0.113.1 224.0.0.1 239.255.255.255 240.0.0.1
  255.255.255.255 4294967295
  [::1] [::] [0:0:0:0:0:0:0:1] [0000::0001] [::2] [::127.0.0.1] [::7f00:1] [::8.8.8.8]
  [::ffff:127.0.0.1] [::ffff:7f00:1] [0:0:0:0:0:ffff:127.0.0.1] [::ffff:169.254.169.254] [::ffff:a9fe:a9fe]
  [::FFFF:10.0.0.1] [::ffff:0:127.0.0.1] [::ffff:0.0.0.0] [::ffff:8.8.8.8]
  [64:ff9b::7f00:1] [64:ff9b::169.254.169.254] [64:ff9b::8.8.8.8] [64:ff9b:1::7f00:1] [64:ff9b:1:fffe::1]
  [2002:7f00:1::] [2002:a9fe:a9fe::1] [2002:0a00:0001::] [2002:808:808::]
  [2001:0:7f00:1::] [2001::1] [2001:db8::1] [2001:10::1] [2001:20::1] [3fff::1] [5f00::1]
  [fe80::1] [febf::1] [fc00::1] [fd00:ec2::254] [fdff::1] [fec0::1] [ff02::1] [ff0e::1] [100::1] [4000::1]
  localhost LOCALHOST localhost. foo.localhost localhost.localdomain ip6-localhost printer metadata
  metadata.google.internal METADATA.GOOGLE.INTERNAL. instance-data.ec2.internal router.home.arpa nas.local
  db.internal kubernetes.default.svc.cluster.local hidden.onion
  inside.example loop.example mixed.example six.example mapped.example zero.example nat64.example meta.example
`
  .trim()
  .split(/\s+/);

/** The resolver's address in these tests; all other names do not exist. */
export const PUBLIC_ADDRESS = '93.184.215.14';
export const NAMES: Readonly<Record<string, readonly string[]>> = {
  'public.example': [PUBLIC_ADDRESS],
  'inside.example': ['10.0.0.5'],
  'loop.example': ['127.0.0.1'],
  'mixed.example': [PUBLIC_ADDRESS, '127.0.0.1'],
  'six.example': ['::1'],
  'mapped.example': ['::ffff:127.0.0.1'],
  'zero.example': ['0.0.0.0', '::'],
  'nat64.example': ['64:ff9b::7f00:1'],
  'meta.example': ['169.254.169.254', 'fd00:ec2::254'],
};

/** Spellings that make an address look like another one. */
const TRICKS = (port: number) => [
  `http://public.example@127.0.0.1:${port}/`,
  `http://public.example:80@127.0.0.1:${port}/`,
  `http://public.example%40127.0.0.1:${port}/`,
  `http://127.0.0.1:${port}\\@public.example/`,
  `http://127.0.0.1:${port}#@public.example/`,
  `http://127.0.0.1:${port}?@public.example/`,
  `http://a:b@[::1]:${port}/`,
  `http:\\\\127.0.0.1:${port}\\`,
  `HTTP://127.0.0.1:${port}/`,
  `http:/\t/127.0.0.1:${port}/`,
  `//127.0.0.1:${port}/`,
  `\\\\127.0.0.1:${port}\\`,
  `/\\127.0.0.1:${port}/`,
  `https:127.0.0.1:${port}/`,
  `https://localhost:${port}/`,
  `http://[::1%25lo]:${port}/`,
  `http://[::1]:${port}:80/`,
  `http://127.0.0.1:${port}:80/`,
  `http://127.0.0.1 .public.example:${port}/`,
];

/** Schemes that other clients support. */
const SCHEMES = (port: number) => [
  'file:///etc/passwd',
  'file://localhost/etc/passwd',
  ...[
    'gopher',
    'ftp',
    'dict',
    'ldap',
    'tftp',
    'sftp',
    'ws',
    'wss',
    'netdoc',
    'jar',
    'redis',
    'unix',
    'view-source',
  ].map((scheme) => `${scheme}://127.0.0.1:${port}/_x`),
  'data:text/html,<html>x',
  'javascript:alert(1)',
  'blob:http://127.0.0.1/0',
  'about:blank',
  `view-source:http://127.0.0.1:${port}/`,
];

/** Ports other than the web's, on a host that may be fetched. */
const PORTS = [1, 22, 25, 53, 6379, 3306, 5432, 8080, 11211].map((port) => `http://public.example:${port}/`);

/**
 * All of these: each host on the web's port and on the canaries' port, which the service allows, so that only the address rule prevents the
 * connection.
 */
export function forbiddenTargets(canaryPort: number): string[] {
  const hosts = HOSTS.flatMap((host) => [
    `http://${host}/`,
    `http://${host}:${canaryPort}/latest/meta-data/`,
  ]);
  const secure = HOSTS.slice(0, 12).map((host) => `https://${host}:${canaryPort}/`);
  return [...hosts, ...secure, ...TRICKS(canaryPort), ...SCHEMES(canaryPort), ...PORTS];
}
