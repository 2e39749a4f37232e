/**
 * What was there where the challenge of a domain was looked for; `{value}` stands for what was met. Where the host gave
 * no answer, a code of page checks stands in its place. The list is closed (docs/codes.md).
 */
export const DOMAIN_FINDINGS = {
  challenge_in_file: 'The file shows the challenge.',
  challenge_in_page: 'The page shows the challenge.',
  challenge_in_txt: 'The TXT record shows the challenge.',
  challenge_on_other_host: 'It redirects to another host, {value}; that proves nothing.',
  challenge_redirected: 'It redirects to {value}.',
  challenge_status: 'It answers with status {value}.',
  challenge_file_empty: 'The file is empty.',
  challenge_file_differs: 'The file says: {value}',
  challenge_meta_missing: 'The head of the page has no <meta name="touchstone-challenge">.',
  challenge_meta_differs: 'The page says: {value}',
  challenge_txt_missing: 'There is no TXT record.',
  challenge_txt_differs: 'The TXT records say: {value}',
} as const;

/** One of `DOMAIN_FINDINGS`. */
export type DomainFindingCode = keyof typeof DOMAIN_FINDINGS;
