import type { SchemaRelease } from './schema-files.ts';

/** Written by `node scripts/record-schemas.ts <version>` when a release is made. */
export const RELEASED_SCHEMAS: readonly SchemaRelease[] = [
  {
    version: '0.1.0',
    files: {
      'rate-limits/schema.sql': 'c6894ad29077b70bb6f3281e20d81f3eaf80daedc35c23ed3fe5337dfde95c65',
      'idempotency/schema.sql': '9fd993378f1c345982c646025bc23156c57010b45c5147986691a6cc4040f532',
      'nodes/schema.sql': '4e083e8f6ac203c681dcedf22de5040e5980d7022bba24662ce85b2410ad1356',
      'jobs/schema.sql': '8f970b1e6240d397e2eca70fc052e8701621354dd198d8b1cc776a22f1f8c61a',
      'keys/schema.sql': 'd36f3d45800e524c2d07658f127425b349cdf67f263b7887944241839868ae6d',
      'registry/schema.sql': 'cec6edef16b67a1961f6605390a75735d6d23403c2648c4d3444f3e9bc5335d8',
      'images/schema.sql': 'e49ec2a197649196a38c8023f98e452d0bf6002a63538128de5fa7c233ae68dc',
      'certificates/schema.sql': '95b46550df2a59894b64833e9e140364c5f8d3466e954c2d571abba254f3263c',
      'page-checks/schema.sql': '6f2e39f223d7fa6ef83e26f794fa4674b0d1ed36f588c064a10ad991bbc03f95',
      'sources/schema.sql': '81ae685eccc506e039cd95256645a7b76c307a51e3a386b5cdd1dacedd783be9',
      'shopify/schema.sql': '3192caef45eaeaf73c3f57491aa403700688db9109e65a0edc0dede4b5680eaf',
      'nft/schema.sql': 'ed3ef16d0ae3a0bc94dfd3003f026b58cc5efc0e56583336eedb1cc889cf32e7',
      'sweeps/schema.sql': 'a821212aa8e5fb88db3eba8e835d76da50e950c9fb1c37c392bc4f805540927c',
      'webhooks/schema.sql': '9aa4d0d4d6589f47c25f65e6a7fe7874f6b9d1486eb6c0fc36772cc5320a6dea',
      'console/schema.sql': 'ee6eff81091b9e83a794c8d46363376f3c32889ce43bb59d461ec1ccd9e4686c',
    },
  },
];
