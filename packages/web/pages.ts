/** The pages, each with the groups of texts that it shows. */
export const PAGES = {
  check: [
    'common',
    'conclusions',
    'control',
    'report',
    'check',
    'reasons',
    'pageCodes',
    'pictureCodes',
    'faults',
    'withdrawalReasons',
  ],
  certificate: [
    'common',
    'report',
    'withdrawalReasons',
    'logReasons',
    'certificate',
    'cannotVerify',
    'reasons',
    'faults',
  ],
  asset: [
    'common',
    'report',
    'withdrawalReasons',
    'logReasons',
    'certificate',
    'asset',
    'cannotVerify',
    'reasons',
    'faults',
  ],
  downloads: ['common', 'downloads', 'faults'],
  log: ['common', 'domainLog', 'faults'],
  site: ['common', 'site', 'faults'],
  verify: [
    'common',
    'conclusions',
    'control',
    'report',
    'verify',
    'cannotVerify',
    'reasons',
    'profileReasons',
    'withdrawalReasons',
    'logReasons',
    'pageCodes',
  ],
  console: [
    'common',
    'conclusions',
    'control',
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
    'hostStatements',
  ],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** Groups of sentences into which the service inserts values: pages in other languages extract these by the English sentences. */
export const KNOWN_TEXTS = ['reasons', 'pageCodes', 'rowFaults', 'rowProblems', 'sourceErrors'] as const;

export type PageName = keyof typeof PAGES;

/** Groups of texts that the service itself uses: in titles, descriptions, and pages without JavaScript. */
export const SERVER_TEXTS = ['head', 'conclusions', 'control', 'faults'] as const;
