import type { ContractPart } from '../../part.ts';
import { getDownload, listDownloads } from './downloads.ts';
import * as pages from './pages.ts';

export const pagesPart: ContractPart = {
  name: 'pages',
  operations: [
    listDownloads,
    getDownload,
    pages.getHome,
    pages.getCheckPage,
    pages.getVerifierPage,
    pages.getVerifierWorker,
    pages.getVerifierManifest,
    pages.getPageFile,
    pages.getBadgeScript,
    pages.getBadgePicture,
  ],
};
