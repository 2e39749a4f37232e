/**
 * Reads a barcode as a GTIN (GS1 General Specifications 7.9: weights 3 and 1 from the right).
 *
 * @returns the digits, or `null` when the length or the check digit is wrong.
 */
export function parseGtin(barcode: string): string | null {
  // spreadsheets protect long numbers with an apostrophe, people type spaces and hyphens
  const digits = barcode.trim().replace(/^'/, '').replace(/[\s-]/g, '');
  if (!/^(\d{8}|\d{12,14})$/.test(digits) || /^0+$/.test(digits)) return null;
  let sum = 0;
  for (let i = 0; i < digits.length - 1; i++) {
    const weight = (digits.length - 1 - i) % 2 === 1 ? 3 : 1;
    sum += weight * (digits.charCodeAt(i) - 48);
  }
  return (10 - (sum % 10)) % 10 === digits.charCodeAt(digits.length - 1) - 48 ? digits : null;
}
