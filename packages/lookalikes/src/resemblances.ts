/**
 * How one host name resembles another, in the order in which they are told. The list is closed: its members are part of
 * the public contract.
 */
export const RESEMBLANCES = [
  'confusable_characters',
  'as_subdomain',
  'another_suffix',
  'hyphens',
  'added_words',
  'swapped_letters',
  'doubled_letter',
  'omitted_letter',
  'similar_spelling',
] as const;

/** How one host name resembles another. */
export type ResemblanceKind = (typeof RESEMBLANCES)[number];
