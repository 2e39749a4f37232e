/**
 * Results of looking up the challenge of a domain; `{value}` is the value found. If the host could not be reached, a
 * code of page checks is used instead. A closed list (docs/codes.md).
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
