/**
 * A GTIN as 14 digits, so that its four lengths compare (GS1 General Specifications, 7.9: weights 3 and 1 from the right).
 *
 * @returns `null` if the length or the check digit is wrong
 */
export function gtin14(text: string): string | null {
  const digits = text.slice(0, 40).trim().replace(/^'/, '').replace(/[\s-]/g, '');
  if (!/^(?:\d{8}|\d{12,14})$/.test(digits) || /^0+$/.test(digits)) return null;
  const padded = digits.padStart(14, '0');
  let sum = 0;
  for (let i = 0; i < 13; i++) sum += (padded.charCodeAt(i) - 48) * (i % 2 === 0 ? 3 : 1);
  return (10 - (sum % 10)) % 10 === padded.charCodeAt(13) - 48 ? padded : null;
}

/** An article number without case, spaces and punctuation, which shops print differently in different places. */
export function articleKey(text: string): string {
  return text
    .slice(0, 200)
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '');
}
