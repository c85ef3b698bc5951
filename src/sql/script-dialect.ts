/** Whose SQL a script is; `standard` is what none of the others claims. */
export const scriptDialects = ['immudb', 'postgres', 'mysql', 'sqlite', 'standard'] as const
export type ScriptDialect = (typeof scriptDialects)[number]

/** Marks of each dialect, and how much one says. */
const marks: readonly (readonly [ScriptDialect, number, RegExp])[] = [
  ['mysql', 20, /^--\s+(MySQL|MariaDB)\s+dump|^--\s+phpMyAdmin\s+SQL\s+Dump/m],
  ['mysql', 5, /\/\*M?!\d{5}|\bENGINE\s*=|^\s*(UN)?LOCK TABLES\b/im],
  ['mysql', 3, /`\w+`/],
  ['mysql', 2, /^DELIMITER\s+\S+/im],
  ['postgres', 20, /^--\s+PostgreSQL\s+database\s+dump/m],
  ['postgres', 5, /^COPY .* FROM stdin/im],
  [
    'postgres',
    4,
    /\bnextval\s*\(|\btimestamp\s+with(out)?\s+time\s+zone\b|\bALTER\s+TABLE\s+ONLY\b/i,
  ],
  ['postgres', 2, /\bbytea\b|\bbigserial\b|::\w+|\$\w*\$/i],
  ['sqlite', 10, /^PRAGMA \w+/im],
  ['sqlite', 5, /\bAUTOINCREMENT\b|\bsqlite_(sequence|master)\b/i],
  ['immudb', 6, /\bVARCHAR\s*\[\d+\]|^\s*UPSERT INTO\b/im],
]

/** The dialect that the beginning of a script is probably in. */
export function guessDialect(beginning: string): ScriptDialect {
  let [best, most]: [ScriptDialect, number] = ['standard', 0]
  for (const dialect of scriptDialects) {
    const points = marks.reduce(
      (sum, [of, worth, mark]) => sum + (of === dialect && mark.test(beginning) ? worth : 0),
      0,
    )
    if (points > most) [best, most] = [dialect, points]
  }
  return best
}

/** What a text means that the dialects read differently. */
export type ScriptSigns = {
  /** A backslash in a plain text escapes the next sign. */
  readonly hasBackslashes: boolean
  /** `"a"` is a text; else a name. */
  readonly hasDoubleTexts: boolean
  /** `#` begins a comment, and `--` only before a blank. */
  readonly hasHashes: boolean
  /** `[a b]` is a name. */
  readonly hasBrackets: boolean
  /** `$$…$$` is a text, and `E'…'` has backslashes. */
  readonly hasDollars: boolean
  /** Comments may lie in one another. */
  readonly nests: boolean
}

export function signsOf(dialect: ScriptDialect): ScriptSigns {
  const isMysql = dialect === 'mysql'
  const isPostgres = dialect === 'postgres'
  return {
    hasBackslashes: isMysql,
    hasDoubleTexts: isMysql,
    hasHashes: isMysql,
    hasBrackets: dialect === 'sqlite' || dialect === 'standard',
    hasDollars: isPostgres,
    nests: isPostgres,
  }
}
