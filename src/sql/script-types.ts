import type { ImportType } from './import-types'
import type { ScriptDialect } from './script-dialect'

/** What becomes of numbers with exact digits after the point, for which immudb has no type. */
export const decimalChoices = ['FLOAT', 'VARCHAR'] as const
export type DecimalChoice = (typeof decimalChoices)[number]

/** A type of another database as one of immudb. */
export type TypeFound = {
  readonly type: ImportType
  /** A sentence about what is lost; missing for nothing. */
  readonly note?: string
  readonly isDecimal?: true
  /** The column counts up by itself. */
  readonly isAuto?: true
  /** It counts up where it is the key of its table. */
  readonly isAutoAsKey?: true
  /** Its length is in characters, of which each may take four bytes. */
  readonly hasCharacters?: true
}

type Written = {
  /** The words of the type in upper case, such as `DOUBLE PRECISION`. */
  readonly words: string
  /** What is in brackets behind it. */
  readonly arguments: readonly string[]
  /** The brackets are square, as only immudb has them. */
  readonly isSquare: boolean
  readonly isArray: boolean
}

const bare = (name: ImportType['name']): TypeFound => ({ type: { name, length: null } })

/** What MySQL writes as bytes. */
const shapes = /^(GEOMETRY|POINT|LINESTRING|POLYGON|MULTI\w+|GEOM\w*COLLECTION)$/

/** The type of immudb for a type of another database. */
export function scriptType(
  written: Written,
  dialect: ScriptDialect,
  decimals: DecimalChoice,
): TypeFound {
  const { words, isArray } = written
  const [first = ''] = words.split(' ')
  const size = Number(written.arguments[0] ?? '')
  const length = Number.isInteger(size) && size > 0 ? size : null
  const asText = (note: string): TypeFound => ({ type: { name: 'VARCHAR', length: null }, note })
  if (isArray) return asText('immudb has no arrays: their text is kept.')
  if (/^(SMALL|BIG)?SERIAL[248]?$/.test(first)) return { ...bare('INTEGER'), isAuto: true }
  // The key of SQLite that it calls so is the number of the row.
  if (words === 'INTEGER' && dialect === 'sqlite') return { ...bare('INTEGER'), isAutoAsKey: true }
  if (/^(TINY|SMALL|MEDIUM|BIG)?INT(EGER)?[248]?$/.test(first)) return bare('INTEGER')
  if (/^(YEAR|OID|ROWID)$/.test(first)) return bare('INTEGER')
  if (/^BOOL(EAN)?$/.test(first)) return bare('BOOLEAN')
  if (first === 'BIT') {
    if (words === 'BIT' && (length ?? 1) === 1) return bare('BOOLEAN')
    return dialect === 'mysql' ? bare('INTEGER') : asText('immudb has no bits: their text is kept.')
  }
  if (/^(VAR)?CHAR(ACTER)?2?$|^N(VAR)?CHAR2?$|^BPCHAR$|^NATIONAL$/.test(first)) {
    const isOneSign = length === null && /^(CHAR|CHARACTER|NCHAR)$/.test(words)
    const most = isOneSign && dialect !== 'immudb' ? 1 : length
    const inCharacters = !written.isSquare && dialect !== 'immudb' && most !== null
    return {
      type: { name: 'VARCHAR', length: most },
      ...(inCharacters ? { hasCharacters: true } : {}),
    }
  }
  if (/^(TINY|MEDIUM|LONG)?TEXT$|^N?CLOB$|^CITEXT$|^NTEXT$|^NAME$|^STRING$/.test(first))
    return bare('VARCHAR')
  if (first === 'UUID' || first === 'UNIQUEIDENTIFIER') return bare('UUID')
  if (first === 'JSON' || first === 'JSONB') return bare('JSON')
  if (/^(TINY|MEDIUM|LONG)?BLOB$|^BYTEA$|^IMAGE$/.test(first)) {
    return { type: { name: 'BLOB', length: written.isSquare ? length : null } }
  }
  if (dialect === 'mysql' && shapes.test(first))
    return { ...bare('BLOB'), note: 'immudb has no shapes: their bytes are kept.' }
  if (/^(VAR)?BINARY$/.test(first)) return { type: { name: 'BLOB', length } }
  if (/^(DATETIME2?|SMALLDATETIME|TIMESTAMP|TIMESTAMPTZ)$/.test(first)) return bare('TIMESTAMP')
  if (first === 'DATE') {
    return dialect === 'immudb'
      ? bare('TIMESTAMP')
      : { ...bare('TIMESTAMP'), note: 'A date becomes the midnight (UTC) at which it begins.' }
  }
  if (/^TIME(TZ)?$/.test(first)) return asText('immudb has no time of day: its text is kept.')
  if (/^(FLOAT[48]?|DOUBLE|REAL)$/.test(first)) return bare('FLOAT')
  if (/^(DECIMAL|NUMERIC|DEC|FIXED|NUMBER|MONEY|SMALLMONEY)$/.test(first)) {
    if (dialect === 'immudb') return bare('FLOAT')
    if (first === 'MONEY' && dialect === 'postgres')
      return asText('immudb has no money: its text is kept.')
    return decimal(written, decimals)
  }
  if (first === 'ENUM' || first === 'SET') {
    const longest = written.arguments.reduce((most, one) => Math.max(most, one.length), 1)
    const all = written.arguments.reduce((sum, one) => sum + one.length + 1, 1)
    return {
      type: { name: 'VARCHAR', length: first === 'SET' ? all : longest },
      hasCharacters: true,
      note: 'immudb does not check that a value is one of the list.',
    }
  }
  if (words === '' || dialect === 'sqlite' || dialect === 'standard')
    return byAffinity(words, asText)
  return asText(`immudb has no type ${words.toLowerCase()}: its text is kept.`)
}

function decimal(
  { arguments: [precision, scale = '0'] }: Written,
  choice: DecimalChoice,
): TypeFound {
  const digits = Number(precision)
  if (precision !== undefined && digits > 0 && digits <= 18 && Number(scale) === 0) {
    return bare('INTEGER')
  }
  if (choice === 'VARCHAR') {
    return { ...bare('VARCHAR'), note: 'Its digits are kept as a text, which sorts as text.' }
  }
  return { ...bare('FLOAT'), isDecimal: true, note: 'FLOAT keeps about 15 digits.' }
}

/** As SQLite takes any word for a type. */
function byAffinity(words: string, asText: (note: string) => TypeFound): TypeFound {
  if (words === '') return asText('A column without a type keeps the text of its values.')
  if (/INT/.test(words)) return bare('INTEGER')
  if (/CHAR|CLOB|TEXT/.test(words)) return bare('VARCHAR')
  if (/BLOB/.test(words)) return bare('BLOB')
  if (/REAL|FLOA|DOUB/.test(words)) return bare('FLOAT')
  return asText(`immudb has no type ${words.toLowerCase()}: its text is kept.`)
}
