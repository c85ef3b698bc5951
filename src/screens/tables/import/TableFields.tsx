import { useSetAtom } from 'jotai'
import { useLayoutEffect, useRef, useState } from 'react'
import { sentence } from '~/atoms/session/failure'
import { readThereAtom } from '~/atoms/tables/import-target'
import { ErrorNote } from '~/ui/ErrorNote'
import { Field } from '~/ui/Field'
import { Select } from '~/ui/Select'
import { type Setup, withTable } from './setup'

/** No table has this name. */
const fresh = ' new'

type Props = {
  setup: Setup
  tables: readonly string[]
  onChange: (setup: Setup) => void
  /** The columns of a chosen table are being read. */
  isReading: boolean
  onReading: (isReading: boolean) => void
}

/** Into which table the rows go, and what its key is when it is a new one. */
export function TableFields({ setup, tables, onChange, isReading, onReading }: Props) {
  const read = useSetAtom(readThereAtom)
  const [failure, setFailure] = useState<string | null>(null)
  const { there, fresh: made } = setup
  // Other choices may be made while the columns are read.
  const newest = useRef(setup)
  useLayoutEffect(() => {
    newest.current = setup
  })
  const choose = async (table: string) => {
    setFailure(null)
    if (table === fresh) return onChange(withTable(setup, null))
    onReading(true)
    try {
      const found = await read(table)
      onChange(withTable(newest.current, found))
    } catch (error) {
      setFailure(`The columns of ${table} could not be read. ${sentence(error)}`)
    } finally {
      onReading(false)
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
          value={there?.table ?? fresh}
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
      {isReading && (
        <p className="pt-1 text-muted text-sm" role="status">
          Reading the columns…
        </p>
      )}
      {failure !== null && <ErrorNote title={failure} />}
    </section>
  )
}
