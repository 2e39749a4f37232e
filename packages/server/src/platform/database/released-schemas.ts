import type { SchemaRelease } from './schema-files.ts';

/** Written by `node scripts/record-schemas.ts <version>` when a release is made. */
export const RELEASED_SCHEMAS: readonly SchemaRelease[] = [
  {
    version: '0.1.0',
    files: {
      'changes/schema.sql': '6faef4c9c48d3f1095cb015a8f13b5f20f052d59ada2ef33ae1d36a9460e8b57',
      'rate-limits/schema.sql': 'baebd2074f6659969c658232b18b5f5d441b8e68007dcbe5549d1f1828f7605d',
      'idempotency/schema.sql': '9fd993378f1c345982c646025bc23156c57010b45c5147986691a6cc4040f532',
      'nodes/schema.sql': '4e083e8f6ac203c681dcedf22de5040e5980d7022bba24662ce85b2410ad1356',
      'jobs/schema.sql': '8f970b1e6240d397e2eca70fc052e8701621354dd198d8b1cc776a22f1f8c61a',
      'keys/schema.sql': 'd36f3d45800e524c2d07658f127425b349cdf67f263b7887944241839868ae6d',
      'registry/schema.sql': 'cec6edef16b67a1961f6605390a75735d6d23403c2648c4d3444f3e9bc5335d8',
      'images/schema.sql': '4857460b184009ee702c653ca4f7c7eb3ba3fa21ab4c183f3c160c93df82daf9',
      'certificates/schema.sql': '95b46550df2a59894b64833e9e140364c5f8d3466e954c2d571abba254f3263c',
      'page-checks/schema.sql': '6f2e39f223d7fa6ef83e26f794fa4674b0d1ed36f588c064a10ad991bbc03f95',
      'sources/schema.sql': '81ae685eccc506e039cd95256645a7b76c307a51e3a386b5cdd1dacedd783be9',
      'shopify/schema.sql': '3192caef45eaeaf73c3f57491aa403700688db9109e65a0edc0dede4b5680eaf',
      'nft/schema.sql': 'ed3ef16d0ae3a0bc94dfd3003f026b58cc5efc0e56583336eedb1cc889cf32e7',
      'sweeps/schema.sql': 'a821212aa8e5fb88db3eba8e835d76da50e950c9fb1c37c392bc4f805540927c',
      'webhooks/schema.sql': '9aa4d0d4d6589f47c25f65e6a7fe7874f6b9d1486eb6c0fc36772cc5320a6dea',
      'publish/schema.sql': '01ff9a7f9e6d5eddeb5ca0db671ff394195dd811f976ddce49e4f578720aa97e',
      'console/schema.sql': 'ee6eff81091b9e83a794c8d46363376f3c32889ce43bb59d461ec1ccd9e4686c',
    },
  },
];
