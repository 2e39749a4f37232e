import type { TrustList } from './report.ts';

/** Settings of the engine: judged by this list alone, and nothing loaded from anywhere (decision 25). */
export function engineSettings({ anchorsPem }: TrustList): string {
  return JSON.stringify({
    version: 1,
    trust: anchorsPem.trim() === '' ? {} : { trust_anchors: anchorsPem },
    verify: {
      verify_trust: true,
      verify_timestamp_trust: true,
      remote_manifest_fetch: false,
      ocsp_fetch: false,
      // what was signed is read back like any other image, which tells in codes what is wrong
      verify_after_sign: false,
    },
    core: { allowed_network_hosts: [], max_decompressed_manifest_size_in_mb: 20 },
    builder: { thumbnail: { enabled: false }, certificate_status_fetch: null },
  });
}
