import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { readImportTarget } from '~/atoms/tables/import'
import { useAct } from '~/core/act'
import { sentence } from '~/core/session/failure-words'
import { ErrorNote } from '~/ui/ErrorNote'
import { Field } from '~/ui/Field'
import { Select } from '~/ui/Select'
import { type Setup, withTable } from './setup'

// Outside React: requests under way.

/** No table has this name. */
const fresh = ' new'

type Props = {
  setup: Setup
  tables: readonly string[]
  onChange: (setup: Setup) => void
  /** The chosen table whose columns are being read. */
  reading: string | null
  onReading: (table: string | null) => void
}

/** Into which table the rows go, and what its key is when it is a new one. */
export function TableFields({ setup, tables, onChange, reading, onReading }: Props) {
  const read = useAct(readImportTarget)
  const [failure, setFailure] = useState<string | null>(null)
  const { there, fresh: made } = setup
  // Other choices may be made while the columns are read.
  const newest = useRef(setup)
  useLayoutEffect(() => {
    newest.current = setup
  })
  // The answer to an earlier choice, or to one for another file, comes too late.
  const choices = useRef(0)
  useEffect(
    () => () => {
      choices.current += 1
      onReading(null)
    },
    [onReading],
  )
  const choose = async (table: string) => {
    choices.current += 1
    const mine = choices.current
    const end = (act: () => void) => {
      if (mine !== choices.current) return
      onReading(null)
      act()
    }
    setFailure(null)
    if (table === fresh) return end(() => onChange(withTable(setup, null)))
    onReading(table)
    try {
      const found = await read(table)
      end(() => onChange(withTable(newest.current, found)))
    } catch (error) {
      end(() => setFailure(`The columns of ${table} could not be read. ${sentence(error)}`))
    }
  }
  const options = [
    { value: fresh, label: 'A new table' },
    ...tables.map((table) => ({ value: table, label: table })),
  ]
  return (
    <section aria-labelledby="import-table">
      <h3 className="pb-1 font-medium" id="import-table">
        Table
      </h3>
      <div className="grid xs:grid-cols-3 gap-3">
        <Select
          label="Import into"
          labelled
          onChange={(table) => void choose(table)}
          options={options}
          value={reading ?? there?.table ?? fresh}
          wide
        />
        {there === null && (
          <Field
            autoCapitalize="none"
            autoComplete="off"
            label="Name of the table"
            mono
            onChange={(table) => onChange({ ...setup, fresh: { ...made, table } })}
            spellCheck={false}
            value={made.table}
          />
        )}
        {there === null && made.key.length === 0 && (
          <Field
            autoCapitalize="none"
            autoComplete="off"
            hint="INTEGER AUTO_INCREMENT: the server counts the rows"
            label="Primary key"
            mono
            onChange={(autoKey) => onChange({ ...setup, fresh: { ...made, autoKey } })}
            spellCheck={false}
            value={made.autoKey}
          />
        )}
      </div>
      {reading !== null && (
        <p className="pt-1 text-muted text-sm" role="status">
          Reading the columns…
        </p>
      )}
      {failure !== null && <ErrorNote title={failure} />}
    </section>
  )
}
