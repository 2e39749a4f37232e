/** Void elements. The tables here follow the HTML Living Standard, sections 13.1.2 "Elements" and 13.1.2.4 "Optional tags". */
export const VOID_ELEMENTS: ReadonlySet<string> = new Set(
  'area base basefont br col command embed frame hr img input keygen link meta param source track wbr'.split(
    ' ',
  ),
);

/** Elements whose text is not part of the visible text of a page. */
export const HIDDEN_TEXT: ReadonlySet<string> = new Set(
  'script style template noscript iframe noembed noframes xmp textarea option title svg math'.split(' '),
);

/** Elements whose start and end separate words. */
export const BLOCK_ELEMENTS: ReadonlySet<string> = new Set(
  (
    'address article aside blockquote body br button caption center dd details dialog dir div dl dt fieldset ' +
    'figcaption figure footer form h1 h2 h3 h4 h5 h6 head header hgroup hr html img input label legend li main menu ' +
    'nav ol option p pre search section select summary table tbody td tfoot th thead title tr ul'
  ).split(' '),
);

const P_CLOSERS =
  'address article aside blockquote center details dialog dir div dl fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr main menu nav ol p pre search section table ul'.split(
    ' ',
  );

/** Start tag → elements that it closes if they are the current one. */
export const CLOSED_BY_START: ReadonlyMap<string, ReadonlySet<string>> = new Map<string, ReadonlySet<string>>(
  [
    ...P_CLOSERS.map((name): [string, ReadonlySet<string>] => [name, new Set(['p'])]),
    ['li', new Set(['li', 'p'])],
    ['dt', new Set(['dt', 'dd', 'p'])],
    ['dd', new Set(['dt', 'dd', 'p'])],
    ['tr', new Set(['tr', 'td', 'th', 'p'])],
    ['td', new Set(['td', 'th', 'p'])],
    ['th', new Set(['td', 'th', 'p'])],
    ['tbody', new Set(['tr', 'td', 'th', 'thead', 'tbody', 'p'])],
    ['tfoot', new Set(['tr', 'td', 'th', 'thead', 'tbody', 'p'])],
    ['option', new Set(['option'])],
    ['optgroup', new Set(['option', 'optgroup'])],
    ['body', new Set(['head'])],
    ['a', new Set(['a'])],
  ],
);

/** An end tag of an inline element closes nothing outside of these ("special" elements of the parsing algorithm). */
export const SPECIAL_ELEMENTS: ReadonlySet<string> = new Set(
  (
    'address article aside blockquote body button caption center dd details dialog dir div dl dt fieldset figcaption ' +
    'figure footer form h1 h2 h3 h4 h5 h6 header html iframe li main menu nav object ol p section select summary ' +
    'table tbody td template tfoot th thead tr ul'
  ).split(' '),
);

/** End tags close nothing outside of these elements, except those of table parts. */
export const TABLE_SCOPE: ReadonlySet<string> = new Set('td th caption table template html'.split(' '));
export const TABLE_PARTS: ReadonlySet<string> = new Set(
  'table thead tbody tfoot tr td th caption html body'.split(' '),
);
