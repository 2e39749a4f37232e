/** The pages, each with the parts of the catalogue of texts that it shows. */
export const PAGES = {
  check: ['common', 'verdicts', 'report', 'check', 'reasons', 'pageCodes', 'faults'],
  certificate: ['common', 'verdicts', 'report', 'certificate', 'cannotVerify', 'reasons', 'faults'],
  asset: ['common', 'verdicts', 'report', 'certificate', 'asset', 'cannotVerify', 'reasons', 'faults'],
  verify: [
    'common',
    'verdicts',
    'report',
    'verify',
    'cannotVerify',
    'reasons',
    'profileReasons',
    'pageCodes',
  ],
  console: [
    'common',
    'verdicts',
    'report',
    'console',
    'reasons',
    'pageCodes',
    'faults',
    'images',
    'sweeps',
    'sweepCodes',
    'deliveries',
    'domainFindings',
    'rowFaults',
    'rowProblems',
    'shopifyProblems',
    'sourceErrors',
  ],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** Groups of sentences that the service writes values into: a page in another language takes them out by the English ones. */
export const KNOWN_TEXTS = ['reasons', 'pageCodes', 'rowFaults', 'rowProblems', 'sourceErrors'] as const;

export type PageName = keyof typeof PAGES;

/** What of the catalogue the service itself says: in titles, descriptions, and without JavaScript. */
export const SERVER_TEXTS = ['head', 'verdicts', 'faults'] as const;
