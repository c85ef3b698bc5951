import { primaryKey } from './keyset'
import { quoteName } from './names'

/** A table as far as its description by the server goes. */
type Described = {
  readonly columns: readonly {
    readonly name: string
    /** Such as `VARCHAR(64)`. */
    readonly type: string
    readonly isNullable: boolean
    readonly isPrimaryKey: boolean
    readonly isAutoIncrement: boolean
  }[]
  readonly indexes:
    | readonly {
        readonly columns: readonly string[]
        readonly isUnique: boolean
        readonly isPrimary: boolean
      }[]
    | null
}

/** A condition that every row of a table fulfils. */
export type TableCheck = { readonly name: string; readonly expression: string }

/** What no call of the server tells of a table. */
export type TableRules = {
  readonly checks: readonly TableCheck[]
  /** Defaults of columns as SQL, by the names of the columns. */
  readonly defaults: ReadonlyMap<string, string>
}

const noRules: TableRules = { checks: [], defaults: new Map() }

/** The statements that would make a table like this one, without rows. */
export function tableDdl(
  table: string,
  described: Described,
  { checks, defaults }: TableRules = noRules,
): string {
  const name = quoteName(table)
  const key = primaryKey(described).map((column) => quoteName(column.name))
  const lines = [
    ...described.columns.map((column) => columnSql(column, defaults.get(column.name))),
    ...checks.map(({ name, expression }) => `CONSTRAINT ${quoteName(name)} CHECK ${expression}`),
    `PRIMARY KEY (${key.join(', ')})`,
  ]
  const indexes = (described.indexes ?? [])
    .filter(({ isPrimary }) => !isPrimary)
    .map(({ columns, isUnique }) => {
      const kind = isUnique ? 'UNIQUE INDEX' : 'INDEX'
      return `CREATE ${kind} ON ${name}(${columns.map(quoteName).join(', ')});`
    })
  const made = `CREATE TABLE ${name} (\n${lines.map((line) => `  ${line}`).join(',\n')}\n);`
  return [made, ...indexes].join('\n')
}

function columnSql(column: Described['columns'][number], defaultSql: string | undefined): string {
  const { name, type, isNullable, isPrimaryKey, isAutoIncrement } = column
  const parts = [quoteName(name), type.replace(/\((\d+)\)$/, '[$1]')]
  if (isAutoIncrement) parts.push('AUTO_INCREMENT')
  else if (!isNullable && !isPrimaryKey) parts.push('NOT NULL')
  if (defaultSql !== undefined) parts.push(`DEFAULT ${defaultSql}`)
  return parts.join(' ')
}
