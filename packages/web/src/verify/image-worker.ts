import { serveImages } from '@touchstone/image/browser/worker';

serveImages(self as unknown as Parameters<typeof serveImages>[0]);
