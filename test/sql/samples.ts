import fc from 'fast-check'

/** Pieces of SQL, whole and broken, that meet in every order. */
const pieces = [
  ...[
    'SELECT',
    'FROM',
    'WHERE',
    'INSERT INTO',
    'VALUES',
    'BEGIN',
    'COMMIT',
    'ROLLBACK',
    'USE',
    'AS',
  ],
  ...[
    't',
    'id',
    'x',
    '__proto__',
    'constructor',
    '"q"',
    '"two words"',
    '""',
    '"it\'s"',
    "'a'",
    "'it''s'",
  ],
  ...[
    "'a;b'",
    "x'00'",
    "X'00'",
    '1',
    '1.5',
    '.5',
    '1e5',
    '0x10',
    '@p',
    '$1',
    '?',
    '(',
    ')',
    ',',
    '.',
  ],
  ...[
    '=',
    '==',
    '<>',
    '!~',
    '->',
    '::',
    ':',
    '*',
    ';',
    ';;',
    ' ',
    '\n',
    '\r\n',
    '\t',
    '-- c\n',
    '--',
  ],
  ...[
    '/* c; */',
    '/*',
    '*/',
    "'",
    '"',
    'é',
    '😀',
    '\u00a0',
    '\u202e',
    '\0',
    '\ud800',
    '{',
    '#',
    '`',
    '~',
  ],
]

/** Text made of such pieces. */
export const sqlText = fc
  .array(fc.constantFrom(...pieces), { maxLength: 20 })
  .map((chosen) => chosen.join(''))

/** Text made of such pieces, or of anything at all. */
export const anyText = fc.oneof(sqlText, fc.string({ unit: 'binary', maxLength: 60 }))
