/** Decimal string from digits with any grouping; three digits after a single separator are a group. */
export function normaliseNumber(text: string): string | undefined {
  let digits = text.replace(/[\s\u00A0\u202F\u2009\u2007\u2006'’`]/g, '');
  digits = digits.replace(/^\.+(?=\.)/, '');
  if (/^\.\d{3}\.\d/.test(digits)) digits = digits.slice(1);
  if (!/^[.,]?\d[\d.,]*$/.test(digits)) return undefined;
  const last = Math.max(digits.lastIndexOf('.'), digits.lastIndexOf(','));
  if (last < 0) return trimNumber(digits, '');
  const whole = digits.slice(0, last);
  const fraction = digits.slice(last + 1);
  return isGrouping(whole, digits[last] as string, fraction)
    ? trimNumber(digits.replace(/[.,]/g, ''), '')
    : trimNumber(whole.replace(/[.,]/g, ''), fraction);
}

/** Whether the last separator groups thousands, so that there is no fraction. */
function isGrouping(whole: string, separator: string, fraction: string): boolean {
  if (fraction.length !== 3) return false;
  if (whole.includes(separator)) return true;
  // with both separators the last one is the decimal point
  if (/[.,]/.test(whole)) return false;
  return !/^0*$/.test(whole) && whole.length <= 3;
}

function trimNumber(whole: string, fraction: string): string | undefined {
  if (whole.length > 15 || fraction.length > 8) return undefined;
  const integer = whole.replace(/^0+(?=\d)/, '') || '0';
  return fraction === '' ? integer : `${integer}.${fraction}`;
}

const EASTERN = /[\u0660-\u0669\u06F0-\u06F9\u066B\u066C\uFF10-\uFF19]/;

/** Arabic-Indic, Persian and full-width digits and separators as ASCII; other text as it is. */
export function asciiDigits(text: string): string {
  if (!EASTERN.test(text)) return text;
  return text.replace(new RegExp(EASTERN, 'g'), (c) => {
    const code = c.charCodeAt(0);
    if (code === 0x066b) return '.';
    if (code === 0x066c) return ',';
    const zero = code >= 0xff10 ? 0xff10 : code >= 0x06f0 ? 0x06f0 : 0x0660;
    return String(code - zero);
  });
}
